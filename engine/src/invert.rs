//! Inversion in batches.

use halo2curves::bn256::Fr;
use rayon::prelude::*;

use crate::{
    backend::{Backend, Work},
    field::Field,
    lanes::{Lanes, LANES},
};

/// Elements that share an inversion.
const CHUNK: usize = 1 << 13;

/// Chains of products side by side, since a step's latency exceeds the time that it occupies the processor.
const CHAINS: usize = 4;

impl Backend {
    /// `elementᵢ = 1/elementᵢ`; zeros stay as they are.
    pub fn invert(self, elements: &mut [Fr]) {
        elements.par_chunks_mut(CHUNK).for_each(|elements| self.run(Invert(elements)));
    }
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
