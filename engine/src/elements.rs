//! Arithmetic on slices, in the library's form: element by element, inversion in batches, and values of polynomials.

use halo2curves::{bn256::Fr, ff::Field as _};
use rayon::prelude::*;

use crate::{
    backend::{Backend, Work},
    field::{powers, Field},
    lanes::{Lanes, LANES},
};

/// Elements that a thread takes at once.
const CHUNK: usize = 1 << 12;

/// Elements that share an inversion.
const INVERTED: usize = 1 << 13;

/// Chains of products or of sums side by side, since a step's latency exceeds the time that it occupies the processor.
const CHAINS: usize = 4;

/// Coefficients of a polynomial that a step takes.
const STEP: usize = LANES * CHAINS;

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

    /// `elementᵢ = 1/elementᵢ`; zeros stay as they are.
    pub fn invert(self, elements: &mut [Fr]) {
        elements.par_chunks_mut(INVERTED).for_each(|elements| self.run(Invert(elements)));
    }

    /// The value at `point` of the polynomial with these coefficients, the lowest first. On one thread.
    pub fn value_at(self, coefficients: &[Fr], point: Fr) -> Fr {
        let (steps, rest) = coefficients.as_chunks::<STEP>();
        let powers: Vec<_> = powers(Fr::ONE, point).take(STEP + 1).collect();
        let step = powers[STEP];
        let sums = self.run(Horner { steps, step });
        let low = sums.iter().zip(&powers).fold(Fr::ZERO, |sum, (part, power)| sum + *part * power);
        let high = rest.iter().rev().fold(Fr::ZERO, |sum, coefficient| sum * point + coefficient);
        low + high * step.pow_vartime([steps.len() as u64])
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

pub(crate) struct Invert<'a, F>(pub(crate) &'a mut [F]);

/// Montgomery's trick, in each lane of each chain: the products of all elements before each, one inversion,
/// and back.
impl<F: Field> Work<F> for Invert<'_, F> {
    type Output = ();

    fn run<L: Lanes<F>>(self, lanes: L) {
        let (groups, rest) = self.0.as_chunks_mut::<{ LANES * CHAINS }>();
        let mut last = [F::ONE; LANES * CHAINS];
        last[..rest.len()].copy_from_slice(rest);
        let mut groups: Vec<_> = groups.iter_mut().chain([&mut last]).collect();

        let mut before = Vec::with_capacity(groups.len());
        let mut products = [[F::ONE; LANES]; CHAINS];
        lanes.vectorize(
            #[inline(always)]
            || multiply_up(lanes, &groups, &mut before, &mut products),
        );
        invert_all(products.as_flattened_mut());
        lanes.vectorize(
            #[inline(always)]
            || divide_down(lanes, &mut groups, &before, &products),
        );
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// Elements of [`CHAINS`] octets.
type Group<F> = [F; LANES * CHAINS];

/// `before` gets the products of the groups before each group, `products` those of all.
#[inline(always)]
fn multiply_up<F: Field, L: Lanes<F>>(
    lanes: L,
    groups: &[&mut Group<F>],
    before: &mut Vec<[L::Multiplier; CHAINS]>,
    products: &mut [[F; LANES]; CHAINS],
) {
    let mut running = [lanes.splat(lanes.factor(&F::ONE)); CHAINS];
    for group in groups {
        before.push(running);
        for (running, octet) in running.iter_mut().zip(group.as_chunks::<LANES>().0) {
            *running = lanes.chain(*running, lanes.load_multiplier(&units(octet)));
        }
    }
    let one = lanes.load(&[F::ONE; LANES]);
    for (running, product) in running.into_iter().zip(products) {
        lanes.store_small(lanes.mul(one, running), product);
    }
}

/// Replaces the groups by their inverses, starting with the last: `inverses` are those of the products of all.
#[inline(always)]
fn divide_down<F: Field, L: Lanes<F>>(
    lanes: L,
    groups: &mut [&mut Group<F>],
    before: &[[L::Multiplier; CHAINS]],
    inverses: &[[F; LANES]; CHAINS],
) {
    let mut running: [L::Octet; CHAINS] = std::array::from_fn(|i| lanes.load(&inverses[i]));
    for (group, before) in groups.iter_mut().zip(before).rev() {
        let octets = group.as_chunks_mut::<LANES>().0;
        for ((running, octet), before) in running.iter_mut().zip(octets).zip(before) {
            let elements = *octet;
            lanes.store_small(lanes.mul(*running, *before), octet);
            *running = lanes.mul(*running, lanes.load_multiplier(&units(&elements)));
            for (inverse, element) in octet.iter_mut().zip(&elements) {
                if *element == F::ZERO {
                    *inverse = F::ZERO;
                }
            }
        }
    }
}

/// Ones in place of zeros.
#[inline(always)]
fn units<F: Field>(elements: &[F; LANES]) -> [F; LANES] {
    elements.map(|element| if element == F::ZERO { F::ONE } else { element })
}

/// The same trick without lanes. There are no zeros.
pub(crate) fn invert_all<F: Field>(elements: &mut [F]) {
    let mut product = F::ONE;
    let before: Vec<F> = elements
        .iter()
        .map(|element| {
            let before = product;
            product *= element;
            before
        })
        .collect();
    let mut inverse = product.invert().expect("a product of units is one");
    for (element, before) in elements.iter_mut().zip(before).rev() {
        let next = inverse * *element;
        *element = inverse * before;
        inverse = next;
    }
}

/// `Σ stepᵢ·stepⁱ` for each of the places of a step.
struct Horner<'a> {
    steps: &'a [[Fr; STEP]],
    step: Fr,
}

impl Work<Fr> for Horner<'_> {
    type Output = [Fr; STEP];

    fn run<L: Lanes<Fr>>(self, lanes: L) -> [Fr; STEP] {
        let step = lanes.factor(&self.step);
        let mut sums = [Fr::ZERO; STEP];
        lanes.vectorize(
            #[inline(always)]
            || {
                let mut running = [lanes.load(&[Fr::ZERO; LANES]); CHAINS];
                for coefficients in self.steps.iter().rev() {
                    let octets = coefficients.as_chunks::<LANES>().0;
                    for (running, octet) in running.iter_mut().zip(octets) {
                        let raised = lanes.mul(*running, lanes.splat(step));
                        *running = lanes.add(raised, lanes.load(octet));
                    }
                }
                let octets = sums.as_chunks_mut::<LANES>().0;
                for (running, octet) in running.into_iter().zip(octets) {
                    lanes.store(running, octet);
                }
            },
        );
        sums
    }
}
