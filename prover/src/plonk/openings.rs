//! Which polynomials a proof evaluates where.

use std::collections::BTreeSet;

use halo2_base::halo2_proofs::{halo2curves::bn256::G1Affine, plonk::ProvingKey};

use super::columns::{Columns, Part};

/// A polynomial, by its column's number, at the challenge times a power of the domain's root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Opening {
    pub(super) polynomial: usize,
    pub(super) rotation: i32,
}

/// All openings of a key's proofs.
#[derive(Debug)]
pub(super) struct Openings {
    /// In the order of the values in a proof.
    pub(super) written: Vec<Opening>,
    /// Polynomials that are opened at the same points, in the order in which they are first opened.
    pub(super) sets: Vec<Set>,
}

/// Polynomials that are opened at the same points.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) rotations: BTreeSet<i32>,
    pub(super) polynomials: Vec<usize>,
}

impl Openings {
    pub(super) fn new(pk: &ProvingKey<G1Affine>, columns: Columns) -> Self {
        let cs = pk.get_vk().cs();
        let at = |polynomial, rotation| Opening { polynomial, rotation };
        let advice = cs.advice_queries().iter();
        let advice: Vec<_> =
            advice.map(|(column, to)| at(columns.advice(column.index()), to.0)).collect();
        let fixed = cs.fixed_queries().iter();
        let fixed: Vec<_> =
            fixed.map(|(column, to)| at(columns.fixed(column.index()), to.0)).collect();
        let permuted: Vec<_> = (0..columns.permuted).map(|i| at(columns.permuted(i), 0)).collect();
        let (mask, quotient) = (at(columns.mask(), 0), at(columns.quotient(), 0));

        let mut written = [advice.as_slice(), &fixed, &[mask], &permuted].concat();
        for set in 0..columns.products {
            let product = columns.product(set);
            written.extend([at(product, 0), at(product, 1)]);
            if set + 1 < columns.products {
                written.push(at(product, columns.to_last()));
            }
        }
        let lookup = |lookup, part, rotation| at(columns.lookup(lookup, part), rotation);
        for i in 0..columns.lookups {
            written.extend([lookup(i, Part::Product, 0), lookup(i, Part::Product, 1)]);
            written.extend([lookup(i, Part::Input, 0), lookup(i, Part::Input, -1)]);
            written.push(lookup(i, Part::Table, 0));
        }

        let mut opened = advice;
        opened.extend(products(columns));
        for i in 0..columns.lookups {
            opened.extend([Part::Product, Part::Input, Part::Table].map(|part| lookup(i, part, 0)));
            opened.extend([lookup(i, Part::Input, -1), lookup(i, Part::Product, 1)]);
        }
        opened.extend(fixed);
        opened.extend(permuted);
        opened.extend([quotient, mask]);
        Self { written, sets: sets(&opened) }
    }
}

fn products(columns: Columns) -> impl Iterator<Item = Opening> {
    let each = (0..columns.products).flat_map(move |set| {
        [0, 1].map(|rotation| Opening { polynomial: columns.product(set), rotation })
    });
    // No product continues from the end of the last one.
    let ends = (0..columns.products.saturating_sub(1))
        .rev()
        .map(move |set| Opening { polynomial: columns.product(set), rotation: columns.to_last() });
    each.chain(ends)
}

fn sets(opened: &[Opening]) -> Vec<Set> {
    let mut polynomials: Vec<(usize, BTreeSet<i32>)> = vec![];
    for Opening { polynomial, rotation } in opened {
        match polynomials.iter_mut().find(|(known, _)| known == polynomial) {
            Some((_, rotations)) => {
                rotations.insert(*rotation);
            }
            None => polynomials.push((*polynomial, BTreeSet::from([*rotation]))),
        }
    }
    let mut sets: Vec<Set> = vec![];
    for (polynomial, rotations) in polynomials {
        match sets.iter_mut().find(|set| set.rotations == rotations) {
            Some(set) => set.polynomials.push(polynomial),
            None => sets.push(Set { rotations, polynomials: vec![polynomial] }),
        }
    }
    sets
}
