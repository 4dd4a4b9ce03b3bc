//! The permutation on bits, to compute the values of outputs.

use muster_schemes::hash::keccak::native::{OFFSETS, ROUNDS, ROUND_CONSTANTS};

/// Lanes `state[x][y]`.
pub(super) type State = [[u64; 5]; 5];

/// The permutation of FIPS 202 section 3.3, without the constant of the last round.
pub(super) fn permute_but_last_constant(state: &mut State) {
    for round in 0..ROUNDS {
        if round > 0 {
            state[0][0] ^= ROUND_CONSTANTS[round - 1];
        }
        *state = chi(&turned(state));
    }
}

/// Theta, rho and pi.
fn turned(state: &State) -> State {
    let parity = state.map(|sheet| sheet.iter().fold(0, |sum, lane| sum ^ lane));
    let mut turned = [[0; 5]; 5];
    for (x, sheet) in state.iter().enumerate() {
        let around = parity[(x + 4) % 5] ^ parity[(x + 1) % 5].rotate_left(1);
        for (y, lane) in sheet.iter().enumerate() {
            turned[y][(2 * x + 3 * y) % 5] = (lane ^ around).rotate_left(OFFSETS[x][y] as u32);
        }
    }
    turned
}

/// The nonlinear step, FIPS 202 section 3.2.4.
pub(super) fn chi(state: &State) -> State {
    let lane = |x: usize, y: usize| state[x][y] ^ (!state[(x + 1) % 5][y] & state[(x + 2) % 5][y]);
    std::array::from_fn(|x| std::array::from_fn(|y| lane(x, y)))
}
