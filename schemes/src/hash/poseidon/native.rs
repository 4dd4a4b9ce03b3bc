//! The Poseidon permutation and circomlib's fixed-length hash.

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;

use super::spec::{PoseidonSpec, MAX_WIDTH};

/// The most inputs of one hash: sixteen.
pub const MAX_INPUTS: usize = MAX_WIDTH - 1;

/// Applies the permutation in place.
///
/// # Panics
///
/// If `state` does not hold `spec.width` elements.
pub fn permute(spec: &PoseidonSpec, state: &mut [Fr]) {
    assert_eq!(state.len(), spec.width, "Poseidon state has the wrong width");
    let half = spec.full_rounds / 2;
    let constants = spec.sparse_full_constants();
    for (round, constants) in constants.iter().enumerate() {
        if round == half {
            partial_rounds(spec, state);
        }
        for (lane, constant) in state.iter_mut().zip(constants) {
            *lane = pow5(*lane + constant);
        }
        mix(if round + 1 == half { spec.sparse_entry() } else { &spec.mds }, state);
    }
}

fn partial_rounds(spec: &PoseidonSpec, state: &mut [Fr]) {
    for round in spec.sparse_rounds() {
        let first = pow5(state[0] + round.constant);
        let mut sum = round.row[0] * first;
        for ((lane, row), column) in state[1..].iter_mut().zip(&round.row[1..]).zip(&round.column) {
            sum += *row * *lane;
            *lane += *column * first;
        }
        state[0] = sum;
    }
}

/// The hash of 1 to 16 field elements, equal to circomlib's `poseidon(inputs)`.
///
/// # Panics
///
/// If `inputs` is empty or longer than 16.
pub fn hash(inputs: &[Fr]) -> Fr {
    hash_with_domain(Fr::ZERO, inputs)
}

/// The hash of 1 to 16 field elements with `domain` in the first lane of the state, where
/// [`hash`] has zero.
///
/// # Panics
///
/// If `inputs` is empty or longer than 16.
pub fn hash_with_domain(domain: Fr, inputs: &[Fr]) -> Fr {
    assert!((1..=MAX_INPUTS).contains(&inputs.len()), "Poseidon takes 1 to 16 inputs");
    let mut lanes = [Fr::ZERO; MAX_WIDTH];
    let state = &mut lanes[..=inputs.len()];
    state[0] = domain;
    state[1..].copy_from_slice(inputs);
    permute(PoseidonSpec::get(state.len()), state);
    state[0]
}

/// Stretches `link` to `count` elements in counter mode: block `j` permutes
/// `(domain, link, j, 0, …)` in `width` lanes and returns all but the last.
///
/// # Panics
///
/// If there is no permutation of `width`, or it is below 3.
pub fn stretch(domain: Fr, link: Fr, width: usize, count: usize) -> Vec<Fr> {
    let block = |j: usize| {
        let mut state = vec![domain, link, Fr::from(j as u64)];
        state.resize(width, Fr::ZERO);
        permute(PoseidonSpec::get(width), &mut state);
        state.truncate(width - 1);
        state
    };
    let mut stretched: Vec<_> = (0..count.div_ceil(width - 1)).flat_map(block).collect();
    stretched.truncate(count);
    stretched
}

/// A domain tag: the ASCII bytes of `label` as a big-endian integer.
///
/// # Panics
///
/// If `label` is not ASCII or is longer than 31 bytes.
pub fn domain(label: &str) -> Fr {
    assert!(label.is_ascii() && label.len() <= 31, "a domain label is at most 31 ASCII characters");
    let mut bytes = [0; 32];
    for (byte, character) in bytes.iter_mut().zip(label.bytes().rev()) {
        *byte = character;
    }
    Fr::from_repr(bytes).into_option().expect("31 bytes are below the modulus")
}

fn pow5(v: Fr) -> Fr {
    v.square().square() * v
}

fn mix(matrix: &[Vec<Fr>], state: &mut [Fr]) {
    let mut mixed = [Fr::ZERO; MAX_WIDTH];
    for (out, row) in mixed.iter_mut().zip(matrix) {
        *out = row.iter().zip(state.iter()).map(|(m, s)| *m * s).sum();
    }
    state.copy_from_slice(&mixed[..state.len()]);
}
