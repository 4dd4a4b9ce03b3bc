//! Constants of Poseidon, generated and cached, one set for each width.
//!
//! The generator is the Grain LFSR of the Poseidon paper (ePrint 2019/458) with the
//! settings of circomlib: prime field, S-box x⁵, 254-bit elements, 8 full rounds. The linear layer
//! of the partial rounds is kept in a second, sparse form (same paper, "Efficient Implementation").

use std::sync::OnceLock;

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;

use crate::field::of_bytes;

/// Smallest state width: one input.
pub const MIN_WIDTH: usize = 2;
/// Largest state width: sixteen inputs.
pub const MAX_WIDTH: usize = 17;
/// Full rounds, half of them before the partial rounds and half after.
pub const FULL_ROUNDS: usize = 8;
/// Partial rounds for the widths 2 to 17 (circomlib, `circuits/poseidon.circom`, `N_ROUNDS_P`).
pub const PARTIAL_ROUNDS: [usize; 16] =
    [56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68];

/// Bits of a field element as the generator draws it.
const FIELD_BITS: usize = 254;

type Matrix = Vec<Vec<Fr>>;

/// Constants of the Poseidon permutation of one width.
#[derive(Debug)]
pub struct PoseidonSpec {
    /// Elements in the state, 2 to 17.
    pub width: usize,
    /// Full rounds: 8.
    pub full_rounds: usize,
    /// Partial rounds, between the two halves of the full rounds.
    pub partial_rounds: usize,
    /// `round_constants[round][lane]`, added before the S-boxes of each of the
    /// `full_rounds + partial_rounds` rounds.
    pub round_constants: Matrix,
    /// Linear layer: the new `state[i]` is the sum over j of `mds[i][j] * state[j]`.
    pub mds: Matrix,
    optimized: Optimized,
}

/// The same permutation with constants and matrices moved through the linear layers.
#[derive(Debug)]
pub(super) struct Optimized {
    /// Constants of the full rounds, in order. The first of the second half also holds what the
    /// partial rounds left behind.
    pub(super) full_constants: Matrix,
    /// Linear layer of the last full round before the partial rounds, instead of the MDS matrix.
    pub(super) entry: Matrix,
    /// The partial rounds.
    pub(super) partial: Vec<SparseRound>,
}

/// A partial round in sparse form: add `constant` to lane 0, raise it to the fifth power, then
/// `new[0] = row[0]·s[0] + Σ row[j]·s[j]` and `new[j] = s[j] + column[j-1]·s[0]` for j ≥ 1.
#[derive(Debug)]
pub struct SparseRound {
    /// Constant of lane 0; the other lanes have none.
    pub constant: Fr,
    /// First row of the matrix, `width` elements.
    pub row: Vec<Fr>,
    /// First column of the matrix below the corner, `width - 1` elements.
    pub column: Vec<Fr>,
}

impl PoseidonSpec {
    /// The constants for a state of `width` elements, computed on first use.
    ///
    /// # Panics
    ///
    /// If `width` is not in 2..=17.
    pub fn get(width: usize) -> &'static Self {
        static CACHE: [OnceLock<PoseidonSpec>; MAX_WIDTH - MIN_WIDTH + 1] =
            [const { OnceLock::new() }; MAX_WIDTH - MIN_WIDTH + 1];
        assert!((MIN_WIDTH..=MAX_WIDTH).contains(&width), "Poseidon width {width} not in 2..=17");
        CACHE[width - MIN_WIDTH].get_or_init(|| Self::generate(width))
    }

    /// Linear layer that replaces the MDS matrix in the last full round of the first half when the
    /// partial rounds are taken in sparse form.
    pub fn sparse_entry(&self) -> &[Vec<Fr>] {
        &self.optimized.entry
    }

    /// The partial rounds in sparse form.
    pub fn sparse_rounds(&self) -> &[SparseRound] {
        &self.optimized.partial
    }

    /// Constants of the eight full rounds when the partial rounds are taken in sparse form.
    pub fn sparse_full_constants(&self) -> &[Vec<Fr>] {
        &self.optimized.full_constants
    }

    fn generate(width: usize) -> Self {
        let partial_rounds = PARTIAL_ROUNDS[width - MIN_WIDTH];
        let mut grain = Grain::new(width, FULL_ROUNDS, partial_rounds);
        let round_constants: Matrix = (0..FULL_ROUNDS + partial_rounds)
            .map(|_| (0..width).map(|_| grain.element_by_rejection()).collect())
            .collect();
        let mds = cauchy(&mut grain, width);
        let optimized = Optimized::derive(&round_constants, &mds, partial_rounds);
        Self { width, full_rounds: FULL_ROUNDS, partial_rounds, round_constants, mds, optimized }
    }
}

impl Optimized {
    /// Constants go forward: lanes 1.. skip the S-box, so their constant may as well be added
    /// after the linear layer. Matrices go backward: M = S·D with D = diag(1, M̂) and S sparse; D
    /// leaves lane 0 alone, so it passes the S-box and merges into the layer before.
    fn derive(constants: &[Vec<Fr>], mds: &Matrix, partial_rounds: usize) -> Self {
        let half = FULL_ROUNDS / 2;
        let (first, rest) = constants.split_at(half);
        let (middle, last) = rest.split_at(partial_rounds);

        let mut carried = vec![Fr::ZERO; mds.len()];
        let mut scalars = Vec::with_capacity(partial_rounds);
        for round in middle {
            let mut sum = add(&carried, round);
            scalars.push(std::mem::replace(&mut sum[0], Fr::ZERO));
            carried = apply(mds, &sum);
        }
        let mut full_constants = first.to_vec();
        full_constants.extend(last.iter().cloned());
        full_constants[half] = add(&carried, &last[0]);

        // M̂ is M without lane 0. The layer before the last i partial rounds is diag(1, M̂ⁱ)·M.
        let minor: Matrix = mds[1..].iter().map(|row| row[1..].to_vec()).collect();
        let by_inverse = transpose(&invert(&minor));
        let mut row = mds[0][1..].to_vec();
        let mut column: Vec<_> = mds[1..].iter().map(|row| row[0]).collect();
        let mut partial = Vec::with_capacity(partial_rounds);
        for constant in scalars.into_iter().rev() {
            row = apply(&by_inverse, &row);
            let first = [&mds[0][..1], &row].concat();
            partial.push(SparseRound { constant, row: first, column: column.clone() });
            column = apply(&minor, &column);
        }
        partial.reverse();
        let mut entry = vec![mds[0].clone()];
        entry.extend(multiply(&power(&minor, partial_rounds), &mds[1..]));
        Self { full_constants, entry, partial }
    }
}

/// The 80-bit Grain LFSR in self-shrinking mode.
struct Grain {
    /// Bit i is the i-th oldest bit.
    state: u128,
    /// Bits that were drawn and not taken yet, the next one lowest, and how many pairs they are.
    drawn: u16,
    left: u32,
}

impl Grain {
    fn new(width: usize, full_rounds: usize, partial_rounds: usize) -> Self {
        let mut grain = Self { state: 0, drawn: 0, left: 0 };
        let mut filled = 0;
        let mut push = |value: usize, bits: usize| {
            for i in (0..bits).rev() {
                grain.state |= ((value >> i & 1) as u128) << filled;
                filled += 1;
            }
        };
        push(1, 2); // prime field
        push(0, 4); // S-box x^alpha
        push(FIELD_BITS, 12);
        push(width, 12);
        push(full_rounds, 10);
        push(partial_rounds, 10);
        push((1 << 30) - 1, 30);
        // 160 bits are dropped.
        for _ in 0..80 {
            grain.pair();
        }
        grain
    }

    /// The next two bits, the first one lowest. Sixteen are drawn at a time: the newest that one depends on is 18 older than it.
    fn pair(&mut self) -> u16 {
        if self.left == 0 {
            let s = self.state;
            self.drawn = (s >> 62 ^ s >> 51 ^ s >> 38 ^ s >> 23 ^ s >> 13 ^ s) as u16;
            self.state = s >> 16 | u128::from(self.drawn) << 64;
            self.left = u16::BITS / 2;
        }
        let pair = self.drawn & 3;
        self.drawn >>= 2;
        self.left -= 1;
        pair
    }

    /// Bits come in pairs; a pair whose first bit is 0 is dropped.
    fn bit(&mut self) -> bool {
        loop {
            let pair = self.pair();
            if pair & 1 == 1 {
                return pair == 3;
            }
        }
    }

    /// 254 bits, the most significant first, as a little-endian integer.
    fn integer(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for i in (0..FIELD_BITS).rev() {
            bytes[i / 8] |= (self.bit() as u8) << (i % 8);
        }
        bytes
    }

    fn element_by_rejection(&mut self) -> Fr {
        loop {
            if let Some(element) = Fr::from_repr(self.integer()).into_option() {
                return element;
            }
        }
    }

    fn element_by_reduction(&mut self) -> Fr {
        let mut bytes = self.integer();
        bytes.reverse();
        of_bytes(&bytes)
    }
}

/// The matrix 1 / (xᵢ + yⱼ). The reference script draws again should an xᵢ + yⱼ vanish or two
/// samples agree; a test shows that neither happens for these widths.
fn cauchy(grain: &mut Grain, width: usize) -> Matrix {
    let samples: Vec<Fr> = (0..2 * width).map(|_| grain.element_by_reduction()).collect();
    let (xs, ys) = samples.split_at(width);
    let inverse = |v: Fr| v.invert().into_option().expect("no sum vanishes for widths 2..=17");
    xs.iter().map(|x| ys.iter().map(|y| inverse(*x + y)).collect()).collect()
}

fn add(a: &[Fr], b: &[Fr]) -> Vec<Fr> {
    a.iter().zip(b).map(|(a, b)| *a + b).collect()
}

fn apply(matrix: &[Vec<Fr>], vector: &[Fr]) -> Vec<Fr> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(m, v)| *m * v).sum()).collect()
}

fn transpose(matrix: &[Vec<Fr>]) -> Matrix {
    (0..matrix[0].len()).map(|j| matrix.iter().map(|row| row[j]).collect()).collect()
}

fn multiply(a: &[Vec<Fr>], b: &[Vec<Fr>]) -> Matrix {
    let columns = transpose(b);
    a.iter().map(|row| apply(&columns, row)).collect()
}

/// The matrix to the power of an exponent other than 0.
fn power(matrix: &Matrix, exponent: usize) -> Matrix {
    if exponent == 1 {
        return matrix.clone();
    }
    let root = power(matrix, exponent / 2);
    let square = multiply(&root, &root);
    if exponent % 2 == 1 {
        multiply(&square, matrix)
    } else {
        square
    }
}

/// Gauss-Jordan elimination.
fn invert(matrix: &Matrix) -> Matrix {
    let n = matrix.len();
    let mut rows: Matrix = matrix.clone();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|j| Fr::from((i == j) as u64)));
    }
    for i in 0..n {
        let pivot = (i..n).find(|&r| rows[r][i] != Fr::ZERO);
        rows.swap(i, pivot.expect("a minor of an MDS matrix is invertible"));
        let scale = rows[i][i].invert().into_option().expect("the pivot is not zero");
        rows[i].iter_mut().for_each(|v| *v *= scale);
        let pivot_row = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != i) {
            let factor = row[i];
            row.iter_mut().zip(&pivot_row).for_each(|(v, p)| *v -= factor * p);
        }
    }
    rows.into_iter().map(|row| row[n..].to_vec()).collect()
}
