//! Whether columns meet a circuit, by the words of section 2 of the specification and nothing else.

use std::collections::HashSet;

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use muster_verifier::{scalar_to_bytes, Column, Node, Protocol, Scalar};

use super::sample::Sample;

fn number(scalar: &Scalar) -> Fr {
    scalar_to_bytes(scalar)
        .iter()
        .fold(Fr::ZERO, |sum, byte| sum * Fr::from(256) + Fr::from(u64::from(*byte)))
}

fn cell(sample: &Sample, column: Column, row: usize) -> Fr {
    match column {
        Column::Fixed(index) => sample.fixed[index][row],
        Column::Advice(index) => sample.advice[index][row],
        Column::Inputs => sample.inputs.get(row).copied().unwrap_or(Fr::ZERO),
    }
}

/// The constants among the nodes; 0 for all others.
fn constants(protocol: &Protocol) -> Vec<Fr> {
    let constant = |node: &Node| match node {
        Node::Constant(constant) => number(constant),
        _ => Fr::ZERO,
    };
    protocol.nodes().iter().map(constant).collect()
}

/// All nodes in a row.
fn nodes(sample: &Sample, constants: &[Fr], row: usize) -> Vec<Fr> {
    let protocol = &sample.protocol;
    let rows = protocol.rows() as i64;
    let mut values = Vec::with_capacity(constants.len());
    for (node, constant) in protocol.nodes().iter().zip(constants) {
        values.push(match *node {
            Node::Constant(_) => *constant,
            Node::Cell { column, rotation } => {
                let row = (row as i64 + i64::from(rotation)).rem_euclid(rows);
                cell(sample, column, row as usize)
            }
            Node::Sum(left, right) => values[left] + values[right],
            Node::Product(left, right) => values[left] * values[right],
        });
    }
    values
}

/// What does not hold, if anything does not. The random rows of advice are part of the columns.
pub(super) fn judge(sample: &Sample) -> Result<(), String> {
    let protocol = &sample.protocol;
    let constants = constants(protocol);
    let tuple = |values: &[Fr], nodes: &[usize]| -> Vec<[u8; 32]> {
        nodes.iter().map(|node| values[*node].to_repr()).collect()
    };
    let mut known = vec![HashSet::new(); protocol.tables().len()];
    for row in 0..protocol.rows() {
        let values = nodes(sample, &constants, row);
        let broken = protocol.constraints().iter().position(|node| values[*node] != Fr::ZERO);
        if let Some(constraint) = broken {
            return Err(format!("constraint {constraint} in row {row}"));
        }
        if row < protocol.usable() {
            for (known, table) in known.iter_mut().zip(protocol.tables()) {
                known.insert(tuple(&values, &table.expressions));
            }
        }
    }
    // Once more, since the nodes of all rows of a large circuit are gigabytes.
    for row in 0..protocol.usable() {
        let values = nodes(sample, &constants, row);
        for (number, (known, table)) in known.iter().zip(protocol.tables()).enumerate() {
            if let Some(input) =
                table.inputs.iter().position(|input| !known.contains(&tuple(&values, input)))
            {
                return Err(format!("input {input} of table {number} in row {row}"));
            }
        }
    }
    for (index, column) in protocol.copied().iter().enumerate() {
        for (row, (other, next)) in sample.next[index].iter().enumerate() {
            if cell(sample, *column, row) != cell(sample, protocol.copied()[*other], *next) {
                return Err(format!("a copy of row {row} of {column}"));
            }
        }
    }
    Ok(())
}
