//! A protocol's expressions, compiled.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Program, Term};
use muster_verifier::Protocol;

use super::{
    columns::Columns,
    constraints::{Challenge, Fraction, Tag, Writer},
};

/// The programs that run over all rows.
#[derive(Debug)]
pub(super) struct Programs {
    /// For each table, its tuples, then those of its inputs.
    pub(super) tuples: Program,
    /// For each helper, then for the sum, the denominator and the numerator.
    pub(super) lookups: Program,
    /// Likewise for each chunk of copied columns.
    pub(super) copies: Program,
    /// All constraints, joined: zero in every row of a satisfied circuit.
    pub(super) constraints: Program,
}

impl Programs {
    pub(super) fn new(protocol: &Protocol, columns: Columns, tag: Tag) -> Self {
        let mut writer = Writer::new(protocol, columns, tag);
        let mut tuples = vec![];
        for (index, table) in protocol.tables().iter().enumerate() {
            for nodes in [&table.expressions].into_iter().chain(&table.inputs) {
                tuples.push(writer.tuple(index, nodes));
            }
        }
        let tuples = writer.graph.compile(&tuples);

        let mut writer = Writer::new(protocol, columns, tag);
        let mut fractions = writer.helpers();
        fractions.extend(writer.sum());
        let lookups = writer.graph.compile(&parts(&fractions));

        let mut writer = Writer::new(protocol, columns, tag);
        let fractions = writer.copies();
        let copies = writer.graph.compile(&parts(&fractions));

        let mut writer = Writer::new(protocol, columns, tag);
        let constraints = writer.constraints();
        let y = writer.challenge(Challenge::Y);
        let mut power = writer.graph.constant(Fr::ONE);
        let mut weighted = vec![];
        for constraint in constraints {
            weighted.push((power, constraint));
            power = writer.graph.mul(power, y);
        }
        let joined = writer.graph.combine(&weighted);
        let constraints = writer.graph.compile(&[joined]);
        Self { tuples, lookups, copies, constraints }
    }
}

/// Denominators before numerators.
fn parts(fractions: &[Fraction]) -> Vec<Term> {
    fractions.iter().flat_map(|part| [part.denominator, part.numerator]).collect()
}
