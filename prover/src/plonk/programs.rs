//! A key's expressions, compiled.

use halo2_base::halo2_proofs::{halo2curves::bn256::G1Affine, plonk::ProvingKey};
use muster_engine::{Program, Term};

use super::{
    columns::{Columns, Part, Row},
    expressions::{Challenge, Fraction, Joined, Writer},
};

/// The programs that run over all rows.
#[derive(Debug)]
pub(super) struct Programs {
    /// For each lookup, its input and its table.
    pub(super) joined: Program,
    /// For each grand product of the permutation, the denominator and the numerator of its factor.
    pub(super) permutation: Program,
    /// Likewise for each lookup, from four columns each: the joined input and table, and both permuted.
    pub(super) lookups: Program,
    /// All constraints, joined: zero in every row of a satisfied circuit.
    pub(super) constraints: Program,
}

impl Programs {
    pub(super) fn new(pk: &ProvingKey<G1Affine>, columns: Columns) -> Self {
        let mut writer = Writer::new(pk, columns);
        let joined = writer.lookups();
        let joined: Vec<_> =
            joined.iter().flat_map(|joined| [joined.input, joined.table]).collect();
        let joined = writer.graph.compile(&joined);

        let mut writer = Writer::new(pk, columns);
        let fractions = writer.permutation();
        let permutation = writer.graph.compile(&parts(fractions));

        let mut writer = Writer::new(pk, columns);
        let fractions = (0..columns.lookups).map(|lookup| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|part| writer.cell(4 * lookup + part));
            writer.lookup_fraction(Joined { input: a, table: b }, Joined { input: c, table: d })
        });
        let fractions = fractions.collect();
        let lookups = writer.graph.compile(&parts(fractions));

        let mut writer = Writer::new(pk, columns);
        let constraints = all_constraints(&mut writer, columns);
        let y = writer.challenge(Challenge::Y);
        let constraints = writer.powers_of(y, constraints);
        let constraints = writer.graph.compile(&[constraints]);
        Self { joined, permutation, lookups, constraints }
    }
}

/// Denominators before numerators.
fn parts(fractions: Vec<Fraction>) -> Vec<Term> {
    let parts = fractions.iter().flat_map(|part| [part.denominator, part.numerator]);
    parts.collect()
}

/// In the order in which a verifier joins them.
fn all_constraints(writer: &mut Writer<'_>, columns: Columns) -> Vec<Term> {
    let mut constraints = writer.gates();
    permutation_constraints(writer, columns, &mut constraints);
    for (lookup, joined) in writer.lookups().into_iter().enumerate() {
        lookup_constraints(writer, columns, (lookup, joined), &mut constraints);
    }
    constraints
}

/// The first product begins with 1 and the last ends with 0 or 1. Each one after the first continues where the one
/// before it ends, and from row to row each changes by its fraction.
fn permutation_constraints(writer: &mut Writer<'_>, columns: Columns, constraints: &mut Vec<Term>) {
    let products: Vec<_> = (0..columns.products).map(|set| columns.product(set)).collect();
    let (Some(first), Some(last)) = (products.first(), products.last()) else { return };
    constraints.push(begins_with_one(writer, *first));
    constraints.push(ends_with_a_bit(writer, *last));
    for pair in products.windows(2) {
        let (end, begin) = (writer.graph.cell(pair[0], columns.to_last()), writer.cell(pair[1]));
        let difference = writer.graph.sub(begin, end);
        let first = writer.row(Row::First);
        constraints.push(writer.graph.mul(difference, first));
    }
    for (product, fraction) in products.iter().zip(writer.permutation()) {
        constraints.push(changes_by(writer, *product, fraction));
    }
}

/// The product as above. The permuted input begins with the permuted table's first value, and each of its values
/// equals the one in the row before or the table's.
fn lookup_constraints(
    writer: &mut Writer<'_>,
    columns: Columns,
    (index, joined): (usize, Joined),
    constraints: &mut Vec<Term>,
) {
    let [product, input, table] =
        [Part::Product, Part::Input, Part::Table].map(|part| columns.lookup(index, part));
    constraints.push(begins_with_one(writer, product));
    constraints.push(ends_with_a_bit(writer, product));
    let before = writer.graph.cell(input, -1);
    let (input, table) = (writer.cell(input), writer.cell(table));
    let fraction = writer.lookup_fraction(joined, Joined { input, table });
    constraints.push(changes_by(writer, product, fraction));
    let (is_new, repeats) = (writer.graph.sub(input, table), writer.graph.sub(input, before));
    let (first, active) = (writer.row(Row::First), writer.row(Row::Active));
    constraints.push(writer.graph.mul(is_new, first));
    let either = writer.graph.mul(is_new, repeats);
    constraints.push(writer.graph.mul(either, active));
}

fn begins_with_one(writer: &mut Writer<'_>, product: usize) -> Term {
    let (first, product) = (writer.row(Row::First), writer.cell(product));
    let one = writer.graph.constant(1.into());
    let difference = writer.graph.sub(one, product);
    writer.graph.mul(difference, first)
}

fn ends_with_a_bit(writer: &mut Writer<'_>, product: usize) -> Term {
    let (last, product) = (writer.row(Row::Last), writer.cell(product));
    let square = writer.graph.mul(product, product);
    let difference = writer.graph.sub(square, product);
    writer.graph.mul(difference, last)
}

fn changes_by(writer: &mut Writer<'_>, product: usize, fraction: Fraction) -> Term {
    let (next, product) = (writer.graph.cell(product, 1), writer.cell(product));
    let left = writer.graph.mul(next, fraction.denominator);
    let right = writer.graph.mul(product, fraction.numerator);
    let difference = writer.graph.sub(left, right);
    let active = writer.row(Row::Active);
    writer.graph.mul(difference, active)
}
