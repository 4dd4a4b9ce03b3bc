//! Element-wise arithmetic on slices, in the library's form.

use halo2curves::bn256::Fr;
use rayon::prelude::*;

use crate::{
    backend::{Backend, Work},
    field::Field,
    lanes::{Lanes, LANES},
};

/// Elements that a thread takes at once.
const CHUNK: usize = 1 << 12;

/// Of scalars alone, so that all of it is compiled here, with what it calls: where a caller brings the field, the caller's
/// crate compiles it, and may do so without optimising.
impl Backend {
    /// `leftᵢ += rightᵢ`.
    ///
    /// # Panics
    ///
    /// If the lengths differ.
    pub fn add(self, left: &mut [Fr], right: &[Fr]) {
        self.zip(left, right, Operation::Add);
    }

    /// `leftᵢ −= rightᵢ`.
    ///
    /// # Panics
    ///
    /// If the lengths differ.
    pub fn sub(self, left: &mut [Fr], right: &[Fr]) {
        self.zip(left, right, Operation::Sub);
    }

    /// `leftᵢ ·= rightᵢ`.
    ///
    /// # Panics
    ///
    /// If the lengths differ.
    pub fn mul(self, left: &mut [Fr], right: &[Fr]) {
        self.zip(left, right, Operation::Mul);
    }

    /// `elementᵢ = elementᵢ²`.
    pub fn square(self, elements: &mut [Fr]) {
        elements.par_chunks_mut(CHUNK).for_each(|elements| self.run(Square(elements)));
    }

    /// `elementᵢ ·= factor`.
    pub fn scale(self, elements: &mut [Fr], factor: Fr) {
        elements.par_chunks_mut(CHUNK).for_each(|elements| self.run(Scale(elements, factor)));
    }

    fn zip(self, left: &mut [Fr], right: &[Fr], operation: Operation) {
        assert_eq!(left.len(), right.len(), "elements come in pairs");
        let chunks = left.par_chunks_mut(CHUNK).zip(right.par_chunks(CHUNK));
        chunks.for_each(|(left, right)| self.run(Zip { left, right, operation }));
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
}

pub(crate) struct Zip<'a, F> {
    pub(crate) left: &'a mut [F],
    pub(crate) right: &'a [F],
    pub(crate) operation: Operation,
}

impl<F: Field> Work<F> for Zip<'_, F> {
    type Output = ();

    fn run<L: Lanes<F>>(self, lanes: L) {
        let Self { left, right, operation } = self;
        match operation {
            Operation::Add => each_pair(
                lanes,
                left,
                right,
                #[inline(always)]
                |left, right| {
                    lanes.store_small(lanes.add(lanes.load(left), lanes.load(right)), left)
                },
            ),
            Operation::Sub => each_pair(
                lanes,
                left,
                right,
                #[inline(always)]
                |left, right| {
                    lanes.store_small(lanes.sub::<1>(lanes.load(left), lanes.load(right)), left)
                },
            ),
            Operation::Mul => each_pair(
                lanes,
                left,
                right,
                #[inline(always)]
                |left, right| lanes.multiply(left, lanes.load_multiplier(right)),
            ),
        }
    }
}

pub(crate) struct Square<'a, F>(pub(crate) &'a mut [F]);

impl<F: Field> Work<F> for Square<'_, F> {
    type Output = ();

    fn run<L: Lanes<F>>(self, lanes: L) {
        each(
            lanes,
            self.0,
            #[inline(always)]
            |elements| lanes.multiply(elements, lanes.load_multiplier(elements)),
        );
    }
}

pub(crate) struct Scale<'a, F>(pub(crate) &'a mut [F], pub(crate) F);

impl<F: Field> Work<F> for Scale<'_, F> {
    type Output = ();

    fn run<L: Lanes<F>>(self, lanes: L) {
        let factor = lanes.factor(&self.1);
        each(
            lanes,
            self.0,
            #[inline(always)]
            |elements| lanes.multiply(elements, lanes.splat(factor)),
        );
    }
}

/// Does `work` on eight elements at a time. The last few are padded with zeros.
#[inline(always)]
fn each<F: Field, L: Lanes<F>>(lanes: L, elements: &mut [F], work: impl Fn(&mut [F; LANES])) {
    lanes.vectorize(
        #[inline(always)]
        || {
            let (octets, rest) = elements.as_chunks_mut();
            for octet in octets {
                work(octet);
            }
            let mut last = fill(rest);
            work(&mut last);
            rest.copy_from_slice(&last[..rest.len()]);
        },
    );
}

/// [`each`] with a second operand.
#[inline(always)]
fn each_pair<F: Field, L: Lanes<F>>(
    lanes: L,
    left: &mut [F],
    right: &[F],
    work: impl Fn(&mut [F; LANES], &[F; LANES]),
) {
    lanes.vectorize(
        #[inline(always)]
        || {
            let (left, left_rest) = left.as_chunks_mut();
            let (right, right_rest) = right.as_chunks();
            for (left, right) in left.iter_mut().zip(right) {
                work(left, right);
            }
            let mut last = fill(left_rest);
            work(&mut last, &fill(right_rest));
            left_rest.copy_from_slice(&last[..left_rest.len()]);
        },
    );
}

/// The elements, padded with zeros.
fn fill<F: Field>(elements: &[F]) -> [F; LANES] {
    let mut filled = [F::ZERO; LANES];
    filled[..elements.len()].copy_from_slice(elements);
    filled
}
