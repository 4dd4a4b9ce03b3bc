use std::sync::Mutex;

use halo2curves::{bn256::Fr, ff::Field};
use rayon::prelude::*;

use super::butterfly::{transform, Twiddles};
use crate::{
    field::powers,
    lanes::{Lanes, LANES},
};

/// The shape of a transform of `rows·columns` elements: row `r` and column `c` hold element `r·columns + c`.
///
/// Transforms down the columns, a factor for each element, then transforms along the rows (the
/// "four-step" method): `Xₖ = Σ_c ω_C^{c·k₂} · ω^{c·k₁} · Σ_r ω_R^{r·k₁} · x`, for `k = k₁ + rows·k₂`. Eight
/// columns side by side are eight lanes, and so are, after a transposition, eight rows. Either fits in the
/// L2 cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    log_rows: u32,
    log_columns: u32,
}

impl Shape {
    /// The least size that has octets in both directions.
    pub(super) const LEAST: u32 = 6;

    pub(super) fn new(k: u32) -> Self {
        Self { log_rows: k / 2, log_columns: k - k / 2 }
    }

    fn rows(self) -> usize {
        1 << self.log_rows
    }

    fn columns(self) -> usize {
        1 << self.log_columns
    }
}

/// What depends only on the root of unity, and working memory.
pub(super) struct Tables<L: Lanes<Fr>> {
    shape: Shape,
    twiddles: Twiddles<L::Factor>,
    /// Buffers between the two steps, at most one per thread. Fresh memory for each transform would cost a tenth of its
    /// time.
    buffers: Mutex<Vec<Vec<L::Octet>>>,
}

impl<L: Lanes<Fr>> Tables<L> {
    /// Tables for `root` of order `2^k`.
    pub(super) fn new(lanes: L, shape: Shape, root: Fr) -> Self {
        let twiddles =
            Twiddles::new(lanes, root.pow_vartime([shape.rows() as u64]), shape.log_columns);
        Self { shape, twiddles, buffers: Mutex::default() }
    }

    fn buffer(&self, zero: L::Octet) -> Vec<L::Octet> {
        let kept = self.buffers.lock().expect("no thread panics while it holds the list").pop();
        kept.unwrap_or_else(|| vec![zero; self.shape.rows() * self.shape.columns() / LANES])
    }

    fn keep(&self, buffer: Vec<L::Octet>) {
        let mut buffers = self.buffers.lock().expect("no thread panics while it holds the list");
        // A thread that waits may begin another transform, so there can be more of them than threads.
        if buffers.len() < rayon::current_num_threads() {
            buffers.push(buffer);
        }
    }
}

/// The factors of one transform: row `r` is multiplied by `before[r]` on the way in, row `k₁` of column `c`
/// by `start·step^k₁` of that column between the two steps, and value `k₁ + rows·k₂` by `after[k₂]`.
pub(super) struct Factors<L: Lanes<Fr>> {
    before: Option<Vec<L::Factor>>,
    /// For each octet of columns, the factors of row 0 and from one row to the next.
    between: Vec<Between<L::Multiplier>>,
    after: Option<Vec<L::Factor>>,
}

struct Between<Multiplier> {
    start: Multiplier,
    step: Multiplier,
}

/// What the elements are multiplied by, in addition to the transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling {
    /// Coefficient `i` by its `i`th power, before the transform.
    pub(super) before: Fr,
    /// Value `i` by its `i`th power, after it.
    pub(super) after: Fr,
    /// All of them.
    pub(super) all: Fr,
}

impl<L: Lanes<Fr>> Factors<L> {
    /// Factors of a transform with `root`.
    pub(super) fn new(lanes: L, shape: Shape, root: Fr, scaling: Scaling) -> Self {
        let table = |base: Fr, stride: usize, count: usize| {
            (base != Fr::ONE).then(|| {
                let base = base.pow_vartime([stride as u64]);
                powers(Fr::ONE, base).take(count).map(|power| lanes.factor(&power)).collect()
            })
        };
        let starts: Vec<Fr> = powers(scaling.all, scaling.before).take(shape.columns()).collect();
        let steps: Vec<Fr> = powers(scaling.after, root).take(shape.columns()).collect();
        let starts = starts.as_chunks().0.iter();
        let between = starts.zip(steps.as_chunks().0).map(|(start, step)| Between {
            start: lanes.multiplier(start),
            step: lanes.multiplier(step),
        });
        Self {
            before: table(scaling.before, shape.columns(), shape.rows()),
            between: between.collect(),
            after: table(scaling.after, shape.rows(), shape.columns()),
        }
    }
}

/// Transforms elements in place.
pub(super) fn apply<L: Lanes<Fr>>(
    lanes: L,
    elements: &mut [Fr],
    tables: &Tables<L>,
    factors: &Factors<L>,
) {
    let shape = tables.shape;
    let zero = lanes.load(&[Fr::ZERO; LANES]);
    let mut buffer = tables.buffer(zero);
    let octets = elements.as_chunks_mut::<LANES>().0;

    let source = &*octets;
    let strips = buffer.par_chunks_mut(shape.rows()).zip(&factors.between).enumerate();
    strips.for_each(|(strip, (column, between))| {
        lanes.vectorize(
            #[inline(always)]
            || {
                gather(lanes, source, strip, factors.before.as_deref(), column);
                transform(lanes, column, &tables.twiddles);
                turn(lanes, column, between);
            },
        );
    });

    // Octet k₂·rows/8 + i is written by the thread that has the rows from 8·i.
    let mut targets: Vec<Vec<_>> =
        (0..shape.rows() / LANES).map(|_| Vec::with_capacity(shape.columns())).collect();
    for row in octets.chunks_exact_mut(targets.len()) {
        targets.iter_mut().zip(row).for_each(|(targets, octet)| targets.push(octet));
    }
    let buffer_ref = &buffer;
    let new_row = || vec![zero; shape.columns()];
    targets.into_par_iter().enumerate().for_each_init(new_row, |row, (strip, targets)| {
        lanes.vectorize(
            #[inline(always)]
            || {
                collect(buffer_ref, strip, shape, row);
                transform(lanes, row, &tables.twiddles);
                write(lanes, row, targets, factors.after.as_deref());
            },
        );
    });
    tables.keep(buffer);
}

/// Eight columns of the elements, in bit-reversed order.
#[inline(always)]
fn gather<L: Lanes<Fr>>(
    lanes: L,
    octets: &[[Fr; LANES]],
    strip: usize,
    before: Option<&[L::Factor]>,
    column: &mut [L::Octet],
) {
    let stride = octets.len() / column.len();
    let bits = column.len().trailing_zeros();
    for row in 0..column.len() {
        let octet = lanes.load(&octets[row * stride + strip]);
        column[reversed(row, bits)] = match before {
            Some(before) => lanes.mul(octet, lanes.splat(before[row])),
            None => octet,
        };
    }
}

/// Multiplies by the factors between the two steps, and transposes blocks of eight rows: afterwards a lane is a row.
#[inline(always)]
fn turn<L: Lanes<Fr>>(lanes: L, column: &mut [L::Octet], between: &Between<L::Multiplier>) {
    let mut factor = between.start;
    for block in column.as_chunks_mut::<LANES>().0 {
        for octet in &mut *block {
            *octet = lanes.mul(*octet, factor);
            factor = lanes.chain(factor, between.step);
        }
        *block = lanes.transpose(*block);
    }
}

/// Eight rows, in bit-reversed order, from the strips of eight columns each.
#[inline(always)]
fn collect<Octet: Copy>(buffer: &[Octet], strip: usize, shape: Shape, row: &mut [Octet]) {
    for (i, columns) in buffer.chunks_exact(shape.rows()).enumerate() {
        for (lane, octet) in columns[strip * LANES..][..LANES].iter().enumerate() {
            row[reversed(i * LANES + lane, shape.log_columns)] = *octet;
        }
    }
}

#[inline(always)]
fn write<L: Lanes<Fr>>(
    lanes: L,
    row: &[L::Octet],
    targets: Vec<&mut [Fr; LANES]>,
    after: Option<&[L::Factor]>,
) {
    for (i, (octet, target)) in row.iter().zip(targets).enumerate() {
        let octet = match after {
            Some(after) => lanes.mul(*octet, lanes.splat(after[i])),
            None => *octet,
        };
        lanes.store(octet, target);
    }
}

/// The lowest `bits` bits in reverse; `bits` is at least 1.
#[inline(always)]
fn reversed(index: usize, bits: u32) -> usize {
    index.reverse_bits() >> (usize::BITS - bits)
}
