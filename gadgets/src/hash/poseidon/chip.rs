//! Poseidon in circuit: hashing with circomlib's padding, and a transcript to squeeze from.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};

use crate::gate::{
    poseidon::{Permuted, PoseidonChip},
    Chips,
};

/// Hashes `inputs` with `domain` in the capacity lane (0 for circomlib's hash); the twin of
/// [`hash_with_domain`](super::hash_with_domain). The permutation has one element more than
/// `inputs`.
pub fn hash(chips: &Chips, domain: Fr, inputs: &[QuantumCell<Fr>]) -> Hashed {
    let mut state = vec![QuantumCell::Constant(domain)];
    state.extend_from_slice(inputs);
    let Permuted { before, after } = chips.poseidon(state.len()).permute(&state);
    Hashed { inputs: before[1..].to_vec(), digest: after[0] }
}

/// A hash and the cells of its inputs, where witnesses have their home.
#[derive(Clone, Debug)]
pub struct Hashed {
    /// Cells bound to what was given.
    pub inputs: Vec<AssignedValue<Fr>>,
    /// The digest.
    pub digest: AssignedValue<Fr>,
}

/// Absorbs `elements`, then squeezes `count` field elements.
///
/// The elements fill the rate lanes of one permutation after the other, the last one padded with
/// zeros; the first lane carries the chain and starts with `domain`. The last link `d` is stretched
/// in counter mode: block `j` permutes `(squeeze, d, j, 0, …)` and gives all lanes but the last.
/// The number of elements is fixed by the circuit, so the padding is unambiguous.
pub fn squeeze(
    chip: &PoseidonChip,
    (absorb, squeeze): (Fr, Fr),
    elements: &[AssignedValue<Fr>],
    count: usize,
) -> Vec<AssignedValue<Fr>> {
    let rate = chip.width() - 1;
    let zero = QuantumCell::Constant(Fr::zero());
    let mut link = QuantumCell::Constant(absorb);
    for block in elements.chunks(rate) {
        let mut state = vec![link];
        state.extend(block.iter().copied().map(QuantumCell::Existing));
        state.resize(rate + 1, zero);
        link = QuantumCell::Existing(chip.permute(&state).after[0]);
    }
    let mut squeezed = Vec::with_capacity(count);
    for block in 0..count.div_ceil(rate) {
        let counter = QuantumCell::Constant(Fr::from(block as u64));
        let mut state = vec![QuantumCell::Constant(squeeze), link, counter];
        state.resize(rate + 1, zero);
        squeezed.extend_from_slice(&chip.permute(&state).after[..rate]);
    }
    squeezed.truncate(count);
    squeezed
}
