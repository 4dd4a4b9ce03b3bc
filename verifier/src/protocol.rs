//! A circuit that obeys every rule of section 2 of the specification.

use std::collections::BTreeSet;

use crate::{
    arrangement::{Arrangement, Rotations},
    error::ProtocolError,
    parts::{Column, Node, ProtocolParts, Table},
};

/// The greatest degree of a constraint.
const CONSTRAINT_DEGREE: usize = 5;
/// The greatest degree of what is looked up.
const INPUT_DEGREE: usize = 2;
/// The greatest degree of a table.
const TABLE_DEGREE: usize = 1;
/// How many columns may be copied.
const COPIED: usize = 4096;
/// How many inputs all tables may have. Four share a helper at best, and a helper has a value.
const LOOKED_UP: usize = 4 * VALUES;
/// How many rows may be random. A verifier adds up as many fractions, and a stranger's key says how
/// many.
const RANDOM_ROWS: usize = 1024;
/// At how many rows a column may be opened, and how many values a proof may have: a verifier interpolates in time that grows with the
/// square of the former.
const ROTATIONS: usize = 256;
const VALUES: usize = 1 << 14;

/// Everything that is fixed about a circuit but its commitments. A value that exists obeys every
/// rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protocol {
    parts: ProtocolParts,
    rotations: Rotations,
    arrangement: Arrangement,
}

impl Protocol {
    /// The protocol of these parts.
    ///
    /// # Errors
    ///
    /// If they break a rule of section 2 of the specification.
    pub fn new(parts: ProtocolParts) -> Result<Self, ProtocolError> {
        check_sizes(&parts)?;
        let degrees = degrees(&parts.nodes)?;
        check_constraints(&parts, &degrees)?;
        for (number, table) in parts.tables.iter().enumerate() {
            check_table(number, table, &degrees)?;
        }
        // No node is idle.
        if let Some(node) = uses(&parts).iter().position(|&uses| uses == 0) {
            return Err(ProtocolError::NodeUnused(node));
        }
        check_copied(&parts)?;
        let rotations = rotations(&parts)?;
        check_columns_used(&parts, &rotations)?;
        let arrangement = Arrangement::new(&parts, &degrees, &rotations);
        if arrangement.values() > VALUES {
            return Err(ProtocolError::TooManyValues(arrangement.values()));
        }
        Ok(Self { parts, rotations, arrangement })
    }

    /// The binary logarithm of the number of rows.
    pub fn k(&self) -> u32 {
        self.parts.k
    }

    /// How many rows there are: `2^k`.
    pub fn rows(&self) -> usize {
        1 << self.parts.k
    }

    /// How many rows carry the circuit.
    pub fn usable(&self) -> usize {
        self.parts.usable
    }

    /// How many fixed columns there are.
    pub fn fixed(&self) -> usize {
        self.parts.fixed
    }

    /// How many advice columns there are.
    pub fn advice(&self) -> usize {
        self.parts.advice
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.parts.inputs
    }

    /// What is computed in each row.
    pub fn nodes(&self) -> &[Node] {
        &self.parts.nodes
    }

    /// The nodes that are 0 in each row.
    pub fn constraints(&self) -> &[usize] {
        &self.parts.constraints
    }

    /// The tables, with what is looked up in them.
    pub fn tables(&self) -> &[Table] {
        &self.parts.tables
    }

    /// The columns whose cells may be copies of one another.
    pub fn copied(&self) -> &[Column] {
        &self.parts.copied
    }

    /// What follows from all of this.
    pub fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    /// The rotations at which a column is opened, ascending: those of its nodes, and 0 if it is
    /// copied.
    pub fn rotations(&self, column: Column) -> &[i32] {
        self.rotations.get(&column).map(Vec::as_slice).unwrap_or_default()
    }

    /// How often each node stands in an operand, the list of constraints, a table or an input.
    pub(crate) fn uses(&self) -> Vec<usize> {
        uses(&self.parts)
    }
}

/// What rule 9 says of a key before anything is made of what it lists. A stranger's key claims any counts, and these follow from
/// them alone: every column, table and copied column has a value in a proof, or is refused for another reason.
#[derive(Default)]
pub(crate) struct Bounds {
    values: usize,
    looked_up: usize,
}

impl Bounds {
    /// There are as many columns or tables more.
    pub(crate) fn take_values(&mut self, count: usize) -> Result<(), ProtocolError> {
        self.values = self.values.saturating_add(count);
        if self.values > VALUES {
            return Err(ProtocolError::TooManyValues(self.values));
        }
        Ok(())
    }

    /// A table has as many inputs.
    pub(crate) fn take_inputs(&mut self, count: usize) -> Result<(), ProtocolError> {
        self.looked_up = self.looked_up.saturating_add(count);
        if self.looked_up > LOOKED_UP {
            return Err(ProtocolError::TooManyLookedUp(self.looked_up));
        }
        Ok(())
    }

    /// As many columns are copied.
    pub(crate) fn take_copied(&mut self, count: usize) -> Result<(), ProtocolError> {
        if count > COPIED {
            return Err(ProtocolError::TooManyCopied(count));
        }
        self.take_values(count)
    }
}

/// The numbers of rows and of inputs.
pub(crate) fn check_rows(k: u32, usable: usize, inputs: usize) -> Result<(), ProtocolError> {
    if !(2..=26).contains(&k) {
        return Err(ProtocolError::Rows(k));
    }
    let rows = 1 << k;
    if usable < 1 || usable > rows - 2 {
        return Err(ProtocolError::Usable { usable, rows });
    }
    if rows - usable > RANDOM_ROWS {
        return Err(ProtocolError::RandomRows(rows - usable));
    }
    if inputs > usable {
        return Err(ProtocolError::Inputs { inputs, usable });
    }
    Ok(())
}

/// The numbers of rows, and that every count is small enough, in the order in which a key has them.
fn check_sizes(parts: &ProtocolParts) -> Result<(), ProtocolError> {
    check_rows(parts.k, parts.usable, parts.inputs)?;
    let mut bounds = Bounds::default();
    bounds.take_values(parts.fixed.saturating_add(parts.advice))?;
    bounds.take_values(parts.tables.len())?;
    for table in &parts.tables {
        bounds.take_inputs(table.inputs.len())?;
    }
    bounds.take_copied(parts.copied.len())?;
    let widths = parts.tables.iter().map(|table| table.expressions.len());
    match widths.chain([parts.nodes.len(), parts.constraints.len()]).max() {
        Some(longest) if u32::try_from(longest).is_err() => Err(ProtocolError::TooLong(longest)),
        _ => Ok(()),
    }
}

/// The degree of each node; products of products may be beyond any number, and stay at the
/// greatest.
fn degrees(nodes: &[Node]) -> Result<Vec<usize>, ProtocolError> {
    let mut degrees: Vec<usize> = Vec::with_capacity(nodes.len());
    for (number, node) in nodes.iter().enumerate() {
        let earlier =
            |node: usize| degrees.get(node).copied().ok_or(ProtocolError::NodeOrder(number));
        let degree = match *node {
            Node::Constant(_) => 0,
            Node::Cell { .. } => 1,
            Node::Sum(left, right) => earlier(left)?.max(earlier(right)?),
            Node::Product(left, right) => earlier(left)?.saturating_add(earlier(right)?),
        };
        degrees.push(degree);
    }
    Ok(degrees)
}

/// The degree of a node, if there is one.
fn degree(degrees: &[usize], node: usize) -> Result<usize, ProtocolError> {
    degrees.get(node).copied().ok_or(ProtocolError::NoSuchNode(node))
}

fn check_constraints(parts: &ProtocolParts, degrees: &[usize]) -> Result<(), ProtocolError> {
    for (number, &node) in parts.constraints.iter().enumerate() {
        if degree(degrees, node)? > CONSTRAINT_DEGREE {
            return Err(ProtocolError::ConstraintDegree(number));
        }
    }
    Ok(())
}

fn check_table(number: usize, table: &Table, degrees: &[usize]) -> Result<(), ProtocolError> {
    if table.expressions.is_empty() {
        return Err(ProtocolError::TableWidth(number));
    }
    if table.inputs.is_empty() {
        return Err(ProtocolError::TableInputs(number));
    }
    for &node in &table.expressions {
        if degree(degrees, node)? > TABLE_DEGREE {
            return Err(ProtocolError::TableDegree(number));
        }
    }
    for input in &table.inputs {
        if input.len() != table.expressions.len() {
            return Err(ProtocolError::InputWidth(number));
        }
        for &node in input {
            if degree(degrees, node)? > INPUT_DEGREE {
                return Err(ProtocolError::InputDegree(number));
            }
        }
    }
    Ok(())
}

/// How often the number of each node stands in an operand, the list of constraints, a table or an input. All that are
/// named do exist.
fn uses(parts: &ProtocolParts) -> Vec<usize> {
    let mut uses = vec![0; parts.nodes.len()];
    let mut mark = |node: usize| {
        if let Some(uses) = uses.get_mut(node) {
            *uses += 1;
        }
    };
    for node in &parts.nodes {
        if let Node::Sum(left, right) | Node::Product(left, right) = *node {
            mark(left);
            mark(right);
        }
    }
    parts.constraints.iter().copied().for_each(&mut mark);
    for table in &parts.tables {
        table.expressions.iter().copied().for_each(&mut mark);
        table.inputs.iter().flatten().copied().for_each(&mut mark);
    }
    uses
}

fn check_copied(parts: &ProtocolParts) -> Result<(), ProtocolError> {
    if parts.copied.is_empty() && parts.tables.is_empty() {
        return Err(ProtocolError::NothingToShow);
    }
    let mut seen = BTreeSet::new();
    match parts.copied.iter().find(|&&column| !seen.insert(column)) {
        Some(&column) => Err(ProtocolError::CopiedTwice(column)),
        None => Ok(()),
    }
}

/// The rotations of every column that is in a node or copied, each of which exists. The first that is one too many ends the search,
/// so no more are kept than a proof may have values, and 256 of the column of inputs.
fn rotations(parts: &ProtocolParts) -> Result<Rotations, ProtocolError> {
    let mut fixed = vec![BTreeSet::new(); parts.fixed];
    let mut advice = vec![BTreeSet::new(); parts.advice];
    let mut inputs = BTreeSet::new();
    let mut values = 0;
    let cells = parts.nodes.iter().filter_map(|node| match *node {
        Node::Cell { column, rotation } => Some((column, rotation)),
        _ => None,
    });
    for (column, rotation) in cells.chain(parts.copied.iter().map(|&column| (column, 0))) {
        let set = match column {
            Column::Fixed(number) => fixed.get_mut(number),
            Column::Advice(number) => advice.get_mut(number),
            Column::Inputs => Some(&mut inputs),
        };
        let set = set.ok_or(ProtocolError::NoSuchColumn(column))?;
        if rotation.unsigned_abs() >= 1 << parts.k {
            return Err(ProtocolError::Rotation { column, rotation });
        }
        if !set.insert(rotation) {
            continue;
        }
        if set.len() > ROTATIONS {
            return Err(ProtocolError::TooManyRotations(column));
        }
        values += usize::from(column != Column::Inputs);
        if values > VALUES {
            return Err(ProtocolError::TooManyValues(values));
        }
    }
    let fixed = fixed.into_iter().enumerate().map(|(number, set)| (Column::Fixed(number), set));
    let advice = advice.into_iter().enumerate().map(|(number, set)| (Column::Advice(number), set));
    let all = fixed.chain(advice).chain([(Column::Inputs, inputs)]);
    let mut rotations = Rotations::new();
    for (column, set) in all.filter(|(_, set)| !set.is_empty()) {
        let rows: BTreeSet<i32> =
            set.iter().map(|rotation| rotation.rem_euclid(1 << parts.k)).collect();
        if rows.len() < set.len() {
            return Err(ProtocolError::EqualRotations(column));
        }
        rotations.insert(column, set.into_iter().collect());
    }
    Ok(rotations)
}

/// No column is idle.
fn check_columns_used(parts: &ProtocolParts, rotations: &Rotations) -> Result<(), ProtocolError> {
    let fixed = (0..parts.fixed).map(Column::Fixed);
    let mut columns = fixed.chain((0..parts.advice).map(Column::Advice));
    match columns.find(|column| !rotations.contains_key(column)) {
        Some(column) => Err(ProtocolError::ColumnUnused(column)),
        None => Ok(()),
    }
}
