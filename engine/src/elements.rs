//! Element-wise arithmetic on slices, in the library's form.

use rayon::prelude::*;

use crate::{
    backend::{Backend, Work},
    field::Field,
    lanes::{Lanes, LANES},
};

/// Elements that a thread takes at once.
const CHUNK: usize = 1 << 12;

impl Backend {
    /// `leftᵢ += rightᵢ`.
    ///
    /// # Panics
    ///
    /// If the lengths differ.
    pub fn add<F: Field>(self, left: &mut [F], right: &[F]) {
        self.zip(left, right, Operation::Add);
    }

    /// `leftᵢ −= rightᵢ`.
    ///
    /// # Panics
    ///
    /// If the lengths differ.
    pub fn sub<F: Field>(self, left: &mut [F], right: &[F]) {
        self.zip(left, right, Operation::Sub);
    }

    /// `leftᵢ ·= rightᵢ`.
    ///
    /// # Panics
    ///
    /// If the lengths differ.
    pub fn mul<F: Field>(self, left: &mut [F], right: &[F]) {
        self.zip(left, right, Operation::Mul);
    }

    /// `elementᵢ = elementᵢ²`.
    pub fn square<F: Field>(self, elements: &mut [F]) {
        elements.par_chunks_mut(CHUNK).for_each(|elements| self.run(Square(elements)));
    }

    /// `elementᵢ ·= factor`.
    pub fn scale<F: Field>(self, elements: &mut [F], factor: F) {
        elements.par_chunks_mut(CHUNK).for_each(|elements| self.run(Scale(elements, factor)));
    }

    fn zip<F: Field>(self, left: &mut [F], right: &[F], operation: Operation) {
        assert_eq!(left.len(), right.len(), "elements come in pairs");
        let chunks = left.par_chunks_mut(CHUNK).zip(right.par_chunks(CHUNK));
        chunks.for_each(|(left, right)| self.run(Zip { left, right, operation }));
    }
}

#[derive(Clone, Copy)]
enum Operation {
    Add,
    Sub,
    Mul,
}

struct Zip<'a, F> {
    left: &'a mut [F],
    right: &'a [F],
    operation: Operation,
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

struct Square<'a, F>(&'a mut [F]);

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

struct Scale<'a, F>(&'a mut [F], F);

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
