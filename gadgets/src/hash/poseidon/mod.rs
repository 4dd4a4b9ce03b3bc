//! Poseidon in circuit: hashing with circomlib's padding, and a transcript to squeeze from.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};

use muster_gates::{
    poseidon::{Permuted, PoseidonChip},
    Chips,
};

/// Hashes `inputs` with `domain` in the capacity lane (0 for circomlib's hash); the twin of
/// [`hash_with_domain`](muster_schemes::hash::poseidon::hash_with_domain). The permutation has one element more than
/// `inputs`.
#[track_caller]
pub fn hash(chips: &Chips, domain: Fr, inputs: &[QuantumCell<Fr>]) -> Hashed {
    let mut state = vec![QuantumCell::Constant(domain)];
    state.extend_from_slice(inputs);
    let Permuted { before, after } = chips.poseidon(state.len()).permute(&state);
    Hashed { inputs: before[1..].to_vec(), digest: after[0] }
}

/// A hash and the cells of its inputs, which hold its witnesses.
#[derive(Clone, Debug)]
pub struct Hashed {
    /// Cells bound to what was given.
    pub inputs: Vec<AssignedValue<Fr>>,
    /// The digest.
    pub digest: AssignedValue<Fr>,
}

/// Absorbs `elements`, then squeezes `count` field elements.
///
/// The elements fill the rate lanes of one permutation after another, the last one padded with zeros;
/// the first lane carries the chain and starts with the first domain. The rate lanes of the last
/// permutation are squeezed first, the others are stretched from its first lane under the second
/// domain. The number of elements is fixed by the circuit, so the padding is unambiguous.
///
/// # Panics
/// If there is no element.
#[track_caller]
pub fn squeeze(
    chip: &PoseidonChip,
    (absorbed, stretched): (Fr, Fr),
    elements: &[AssignedValue<Fr>],
    count: usize,
) -> Vec<AssignedValue<Fr>> {
    let rate = chip.width() - 1;
    let mut lanes = vec![];
    for block in elements.chunks(rate) {
        let chain =
            lanes.first().copied().map_or(QuantumCell::Constant(absorbed), QuantumCell::Existing);
        let mut state = vec![chain];
        state.extend(block.iter().copied().map(QuantumCell::Existing));
        state.resize(rate + 1, QuantumCell::Constant(Fr::zero()));
        lanes = chip.permute(&state).after;
    }
    let link = QuantumCell::Existing(lanes[0]);
    let mut squeezed = lanes.split_off(1);
    squeezed.truncate(count);
    let more = count - squeezed.len();
    squeezed.extend(stretch(chip, stretched, link, more));
    squeezed
}

/// Stretches `link` to `count` elements; the twin of [`stretch`](muster_schemes::hash::poseidon::stretch).
#[track_caller]
pub fn stretch(
    chip: &PoseidonChip,
    domain: Fr,
    link: QuantumCell<Fr>,
    count: usize,
) -> Vec<AssignedValue<Fr>> {
    let rate = chip.width() - 1;
    let mut stretched = Vec::with_capacity(count);
    for block in 0..count.div_ceil(rate) {
        let counter = QuantumCell::Constant(Fr::from(block as u64));
        let mut state = vec![QuantumCell::Constant(domain), link, counter];
        state.resize(rate + 1, QuantumCell::Constant(Fr::zero()));
        stretched.extend_from_slice(&chip.permute(&state).after[..rate]);
    }
    stretched.truncate(count);
    stretched
}
