//! The advice cells of each kind of rows, and the permutation on bits, which gives the values of outputs.

use ff::Field;
use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::fe_to_biguint};
use num_traits::ToPrimitive;

use super::{
    schedule::{plain_factor, position, Source, BLOCK, HALF, PERMUTATION, ROUND, SIDE},
    sparse::{
        add, bit_digits, chunk, digits, parity, power, rotate, spread, word, Digits, BASE, BYTE,
        CHUNK, CHUNKS, DIGITS,
    },
    C, SUM, V, WIDTH, Y, Z,
};
use muster_schemes::hash::keccak::native::{OFFSETS, ROUNDS, ROUND_CONSTANTS};

/// Advice cells of a row.
pub(super) type AdviceRow = [Fr; WIDTH];

/// Chunks of a word in the order of rows.
fn chunks(digits: &Digits) -> [u64; CHUNKS] {
    std::array::from_fn(|i| chunk(&digits[position(i)..DIGITS.min(position(i) + CHUNK)]))
}

/// Writes `z = chunk + factor·z'` upwards into `rows`.
fn running_sum(
    rows: &mut [AdviceRow],
    column: usize,
    chunks: &[u64],
    factor: impl Fn(usize) -> Fr,
) {
    let mut sum = Fr::ZERO;
    for (i, chunk) in chunks.iter().enumerate().rev() {
        sum = Fr::from(*chunk) + factor(i) * sum;
        rows[i][column] = sum;
    }
}

/// Writes `v = chunk + growth·v` of the row above downwards into `rows`.
fn growing_word(rows: &mut [AdviceRow], column: usize, chunks: &[u64], growth: Fr) {
    let mut sum = Fr::ZERO;
    for (row, chunk) in rows.iter_mut().zip(chunks) {
        sum = Fr::from(*chunk) + growth * sum;
        row[column] = sum;
    }
}

/// Five words whose parities are taken.
pub(super) fn parity_block(words: &[Fr; SIDE]) -> Vec<AdviceRow> {
    let mut rows = vec![[Fr::ZERO; WIDTH]; BLOCK];
    for (lane, sum) in words.iter().enumerate() {
        rows[0][V + lane] = *sum;
        let digits = digits(sum);
        let parities = chunks(&bit_digits(parity(&digits)));
        running_sum(&mut rows[1..], Z + lane, &chunks(&digits), plain_factor);
        growing_word(&mut rows[1..], V + lane, &parities, power(CHUNK));
        rows[1..].iter_mut().zip(parities).for_each(|(row, y)| row[Y + lane] = Fr::from(y));
    }
    rows
}

/// Five halves of 16 bytes.
pub(super) fn half_block(halves: &[Fr; SIDE]) -> Vec<AdviceRow> {
    let mut rows = vec![[Fr::ZERO; WIDTH]; HALF];
    for (lane, half) in halves.iter().enumerate() {
        rows[0][V + lane] = *half;
        let bytes = low_u128(half).to_le_bytes();
        let dense: Vec<_> = bytes.iter().map(|byte| u64::from(*byte)).collect();
        let sparse: Vec<_> = dense.iter().map(|byte| chunk(&bit_digits(*byte)[..BYTE])).collect();
        running_sum(&mut rows[1..], Z + lane, &dense, |i| Fr::from(if i < 15 { 256 } else { 0 }));
        for first in [0, 8] {
            growing_word(&mut rows[1 + first..], V + lane, &sparse[first..first + 8], power(BYTE));
        }
        rows[1..].iter_mut().zip(sparse).for_each(|(row, y)| row[Y + lane] = Fr::from(y));
    }
    rows
}

/// The lowest 128 bits of a field element.
pub(super) fn low_u128(value: &Fr) -> u128 {
    let low = fe_to_biguint(value) % (num_bigint::BigUint::from(1u8) << 128u32);
    low.to_u128().expect("reduced to 128 bits")
}

/// The words of a round, in the order in which they follow from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The sums of the columns of the state.
    Sums,
    /// Their parities.
    Columns,
    /// The sum that becomes lane `x` of plane `y`.
    Lane { x: usize, y: usize },
}

/// The permutation of the parities of 25 words, `words[5·y + x]`.
pub(super) fn permutation(words: &[Fr]) -> Vec<AdviceRow> {
    permutation_of(words, |_, _, _| {})
}

/// As [`permutation`], for a prover who `says` in each round what its words are.
pub(super) fn permutation_of(
    words: &[Fr],
    says: impl Fn(usize, Step, &mut [Digits]),
) -> Vec<AdviceRow> {
    let mut rows = Vec::with_capacity(PERMUTATION);
    for plane in words.chunks(SIDE) {
        rows.extend(parity_block(plane.try_into().expect("planes have five lanes")));
    }
    for round in 0..ROUNDS {
        let constant = round.checked_sub(1).map_or(0, |last| ROUND_CONSTANTS[last]);
        let before = &rows[rows.len() - ROUND..];
        rows.extend(round_rows(before, constant, |step, words| says(round, step, words)));
    }
    rows
}

/// The rows of a round, from those of the round before.
fn round_rows(
    before: &[AdviceRow],
    constant: u64,
    says: impl Fn(Step, &mut [Digits]),
) -> Vec<AdviceRow> {
    let lane = |x: usize, y: usize| before[BLOCK * y + CHUNKS][V + x];
    let bits = |x: usize, y: usize| bit_digits(parity(&digits(&lane(x, y))));
    let mut rows = vec![[Fr::ZERO; WIDTH]; ROUND];
    let sum = |x: usize| (0..SIDE).fold([0; DIGITS], |sum, y| add(&sum, &bits(x, y)));
    let mut sums: [Digits; SIDE] = std::array::from_fn(sum);
    says(Step::Sums, &mut sums);
    let mut columns = sums.map(|sum| bit_digits(parity(&sum)));
    says(Step::Columns, &mut columns);
    for (x, (sum, column)) in sums.iter().zip(&columns).enumerate() {
        let rows = &mut rows[BLOCK * x + 1..];
        running_sum(rows, SUM, &chunks(sum), plain_factor);
        growing_word(rows, C, &chunks(column), power(CHUNK));
    }
    let constant = bit_digits(constant);
    // Parities of columns, with the constant that the round before left out.
    columns[0] = add(&columns[0], &constant);
    let mut turned: State = [[0; SIDE]; SIDE];
    for y in 0..SIDE {
        for x in 0..SIDE {
            let source = Source::of(x, y);
            let mut lane = bits(source.x, source.y);
            if (source.x, source.y) == (0, 0) {
                lane = add(&lane, &constant);
            }
            let next = &columns[(source.x + 1) % SIDE];
            let mut sum = add(&add(&lane, &columns[(source.x + 4) % SIDE]), &rotate(next, 1));
            says(Step::Lane { x, y }, std::slice::from_mut(&mut sum));
            let rows = &mut rows[BLOCK * y..];
            turned_lane(&mut rows[..BLOCK], x, source, &sum, next[DIGITS - 1]);
            turned[x][y] = parity(&rotate(&sum, source.rotation));
            let parities = chunks(&bit_digits(turned[x][y]));
            rows[1..].iter_mut().zip(parities).for_each(|(row, y)| row[Y + x] = Fr::from(y));
        }
    }
    for (x, sheet) in chi(&turned).iter().enumerate() {
        for (y, lane) in sheet.iter().enumerate() {
            let rows = &mut rows[BLOCK * y + 1..BLOCK * (y + 1)];
            growing_word(rows, V + x, &chunks(&bit_digits(*lane)), power(CHUNK));
        }
    }
    rows
}

/// The running sum of a lane of sums, and in its head how often `BASE^64 - 1` is left over.
fn turned_lane(rows: &mut [AdviceRow], column: usize, source: Source, sum: &Digits, carried: u8) {
    let turned = rotate(sum, source.rotation);
    running_sum(&mut rows[1..], Z + column, &chunks(&turned), |i| source.factor(i));
    let over = if source.straddles() {
        // The digits of the straddling chunk that are the lowest ones before the rotation.
        let end = (source.rotation / CHUNK + 1) * CHUNK;
        let over = chunk(&turned[source.rotation..end.min(DIGITS)]);
        over - u64::from(carried)
    } else {
        u64::from(carried)
    };
    rows[0][Z + column] = Fr::from(over);
    let parities: Vec<u8> =
        (0..CHUNK as u32).map(|i| (over / BASE.pow(i) % BASE % 2) as u8).collect();
    rows[0][Y + column] = Fr::from(chunk(&parities));
}

/// The two lanes of a half, and the digits of its bytes 12 to 15.
pub(super) fn spread_half(half: &Fr) -> [Fr; 3] {
    let half = low_u128(half);
    let [first, second] = [(half >> 64) as u64, half as u64].map(u64::swap_bytes);
    [spread(first), spread(second), spread(second >> 32)]
}

/// The parities of a word, as a word.
pub(super) fn parity_word(sum: &Fr) -> Fr {
    word(&bit_digits(parity(&digits(sum))))
}

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
fn chi(state: &State) -> State {
    let lane = |x: usize, y: usize| state[x][y] ^ (!state[(x + 1) % 5][y] & state[(x + 2) % 5][y]);
    std::array::from_fn(|x| std::array::from_fn(|y| lane(x, y)))
}
