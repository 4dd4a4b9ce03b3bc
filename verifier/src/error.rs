//! Why a protocol, a key, a proof or a batch is refused.

use std::fmt;

use thiserror::Error;

use crate::{arrangement::Polynomial, encoding::PointError, parts::Column};

/// The rule of section 2 of the specification that a protocol breaks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// `k` is not 2 to 26.
    #[error("k is {0}, and 2 to 26 are allowed")]
    Rows(u32),
    /// No row, or not two rows less than all, carry the circuit.
    #[error("{usable} of {rows} rows are usable: at least one is, and two are not")]
    Usable {
        /// How many rows carry the circuit.
        usable: usize,
        /// How many there are.
        rows: usize,
    },
    /// There are more random rows than a verifier is willing to add up.
    #[error("{0} rows are random: more than 1,024")]
    RandomRows(usize),
    /// There are more inputs than rows for them.
    #[error("{inputs} inputs do not fit in {usable} usable rows")]
    Inputs {
        /// How many inputs there are.
        inputs: usize,
        /// How many rows carry the circuit.
        usable: usize,
    },
    /// A list is longer than 32 bits can say.
    #[error("a list has {0} entries: more than 32 bits can say")]
    TooLong(usize),
    /// A sum or a product is of a node that does not come before it.
    #[error("node {0} is of one that does not come before it")]
    NodeOrder(usize),
    /// There is no such node.
    #[error("there is no node {0}")]
    NoSuchNode(usize),
    /// A constraint's degree is above 5.
    #[error("constraint {0} has a degree above 5")]
    ConstraintDegree(usize),
    /// The degree of an input's node is above 2.
    #[error("an input of table {0} has a degree above 2")]
    InputDegree(usize),
    /// The degree of a table's node is above 1.
    #[error("table {0} has a degree above 1")]
    TableDegree(usize),
    /// A table has no expressions.
    #[error("table {0} has no expressions")]
    TableWidth(usize),
    /// Nothing is looked up in a table.
    #[error("nothing is looked up in table {0}")]
    TableInputs(usize),
    /// An input is not as wide as its table.
    #[error("an input of table {0} is not as wide as it")]
    InputWidth(usize),
    /// There is no such column.
    #[error("there is no {0}")]
    NoSuchColumn(Column),
    /// A rotation is as large as the number of rows.
    #[error("rotation {rotation} of {column} is not less than the number of rows")]
    Rotation {
        /// The column.
        column: Column,
        /// The rotation.
        rotation: i32,
    },
    /// Two rotations of a column are the same row.
    #[error("two rotations of {0} are equal modulo the number of rows")]
    EqualRotations(Column),
    /// A column has more than 256 rotations.
    #[error("{0} has more than 256 rotations")]
    TooManyRotations(Column),
    /// Proofs would have more than 16,384 values, at least so many.
    #[error("proofs would have {0} values or more: 16,384 are allowed")]
    TooManyValues(usize),
    /// The tables have more inputs than helpers, of which each has a value, could hold.
    #[error("tables have {0} inputs or more: 65,536 are allowed")]
    TooManyLookedUp(usize),
    /// A column is neither in a node nor copied.
    #[error("{0} is neither in a node nor copied")]
    ColumnUnused(Column),
    /// A node is used by nothing.
    #[error("node {0} is not used")]
    NodeUnused(usize),
    /// A column stands twice among the copied ones.
    #[error("{0} is copied twice")]
    CopiedTwice(Column),
    /// More than 4,096 columns are copied.
    #[error("{0} columns are copied: more than 4,096")]
    TooManyCopied(usize),
    /// There are neither tables nor copied columns.
    #[error("there are neither tables nor copied columns")]
    NothingToShow,
}

/// Why bytes or parts are not a key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The bytes end too early.
    #[error("the key ends too early")]
    Truncated,
    /// Bytes follow the key.
    #[error("{0} bytes follow the key")]
    TrailingBytes(usize),
    /// The bytes are those of something else, or of another version.
    #[error("this is not a key of version 1")]
    NotAKey,
    /// Of neither format.
    #[error("{0} is neither the kind `fast` nor `compact`")]
    Kind(u8),
    /// Not for Keccak-256.
    #[error("{0} is not the hash Keccak-256")]
    Hash(u8),
    /// Neither a ceremony's SRS nor another one.
    #[error("{0} does not say whose the SRS is")]
    Srs(u8),
    /// The stride of a key of kind `fast` is not 1.
    #[error("the stride is {0}, and not 1")]
    Stride(u32),
    /// The description is longer than 65,536 bytes.
    #[error("a description of {0} bytes: more than 65,536")]
    Description(usize),
    /// There is no such type of nodes.
    #[error("{0} is no type of nodes")]
    NodeType(u8),
    /// There is no such type of columns.
    #[error("{0} is no type of columns")]
    ColumnType(u8),
    /// The column of inputs has the number 0, and no other.
    #[error("the column of inputs has the number {0}, and not 0")]
    InputsNumber(u32),
    /// A constant is not below `r`.
    #[error("the constant of node {0} is not below r")]
    Constant(usize),
    /// `[τ]₂` is not a point that it may be.
    #[error("[τ]₂: {0}")]
    Tau(#[source] PointError),
    /// `[τ]₂` is `[1]₂`.
    #[error("[τ]₂ is [1]₂")]
    TauIsOne,
    /// There are not as many commitments as columns, or as packs of the key.
    #[error("{found} commitments, and {expected} are needed")]
    Commitments {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A commitment is not a point.
    #[error("the commitment to {polynomial}: {error}")]
    Commitment {
        /// What it commits to.
        polynomial: Polynomial,
        /// Why it is not a point.
        #[source]
        error: PointError,
    },
    /// The commitment to a pack is not a point.
    #[error("the commitment to pack {pack}: {error}")]
    Pack {
        /// The number of the pack.
        pack: usize,
        /// Why it is not a point.
        #[source]
        error: PointError,
    },
    /// The commitment to the decider, `K₂`, is not a point.
    #[error("the commitment to the decider: {0}")]
    Decider(#[source] PointError),
    /// The decider of a key may not be as large.
    #[error("k of the decider is {0}, and at most 16 are allowed")]
    DeciderLarge(u32),
    /// The decider of the key has more rows than the key says.
    #[error("k of the decider is {0}, and it has more rows")]
    DeciderSmall(u32),
    /// The decider of the key has another number of rows.
    #[error("k of the decider is {found}, and not {expected}")]
    DeciderK {
        /// What the key says.
        found: u32,
        /// What follows from the key.
        expected: u32,
    },
    /// The decider of the key has too many rows.
    #[error(transparent)]
    DeciderRows(#[from] TooManyRows),
    /// The circuit breaks a rule.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The packs break a rule.
    #[error(transparent)]
    Packing(#[from] PackingError),
}

/// The rule of section 9 of the specification that a packing breaks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PackingError {
    /// The stride is not 1 to 256.
    #[error("the stride is {0}, and 1 to 256 are allowed")]
    Stride(u32),
    /// There are more than 1,024 inputs.
    #[error("{0} inputs: more than 1,024")]
    Inputs(usize),
    /// There are more than 65,536 nodes, or constraints.
    #[error("{nodes} nodes and {constraints} constraints: 65,536 of each are allowed")]
    Equation {
        /// How many nodes there are.
        nodes: usize,
        /// How many constraints there are.
        constraints: usize,
    },
    /// There are more packs than polynomials.
    #[error("{found} packs for {polynomials} polynomials")]
    TooManyPacks {
        /// How many packs there are.
        found: usize,
        /// How many polynomials there are.
        polynomials: usize,
    },
    /// The column of inputs has more than 4,096 values at all its rotations.
    #[error("{inputs} inputs at {rotations} rotations: more than 4,096 together")]
    Shown {
        /// How many inputs there are.
        inputs: usize,
        /// At how many rotations their column is read.
        rotations: usize,
    },
    /// A pack has no polynomial, or more than the stride.
    #[error("pack {pack} has {found} polynomials: it may have 1 to as many as the stride")]
    Size {
        /// The number of the pack.
        pack: usize,
        /// How many polynomials it has.
        found: usize,
    },
    /// There is no such polynomial.
    #[error("pack {pack}: there is no polynomial {number}")]
    NoSuchPolynomial {
        /// The number of the pack.
        pack: usize,
        /// The number of the polynomial.
        number: usize,
    },
    /// A polynomial stands in two places.
    #[error("{0} stands in two places")]
    Twice(Polynomial),
    /// A polynomial stands in no pack.
    #[error("{0} stands in no pack")]
    Missing(Polynomial),
    /// The polynomials of a pack are not of one round.
    #[error("the polynomials of pack {0} are not of one round")]
    Rounds(usize),
    /// A pack stands after one of a later round.
    #[error("pack {0} stands after one of a later round")]
    Order(usize),
    /// Two rotations of a pack are the same row.
    #[error("two rotations of pack {0} are equal modulo the number of rows")]
    EqualRotations(usize),
    /// A pack has more than 256 rotations.
    #[error("pack {0} has more than 256 rotations")]
    TooManyRotations(usize),
    /// The packs have more than 16,384 values.
    #[error("the packs have {0} values: more than 16,384")]
    TooManyValues(usize),
}

/// The decider of a packing has more than `2^16` rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the decider has more than 2^16 rows")]
pub struct TooManyRows;

/// Why a decider has no wires for some values and public inputs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FillError {
    /// There are not as many public inputs as the decider has.
    #[error("{found} public inputs, and the decider has {expected}")]
    PublicInputs {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// There are not as many values as the decider has cells for.
    #[error("{found} values, and the decider has cells for {expected}")]
    Values {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A challenge is degenerate: what this row inverts is 0. A prover draws again.
    #[error("a challenge is degenerate: row {row} inverts 0")]
    Degenerate {
        /// The row.
        row: usize,
    },
}

/// A point of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofPoint {
    /// The commitment to a polynomial.
    Commitment(Polynomial),
    /// The commitment to a piece of the quotient.
    Piece(usize),
    /// `W`.
    W,
    /// `W′`.
    WPrime,
    /// The commitment to a pack, by its number in the key.
    Pack(usize),
    /// The commitment to the quotient in the format `compact`, `Q`.
    Quotient,
    /// The commitment to the values, `E`.
    Values,
    /// The commitment to the decider's wires, `V`.
    Wires,
    /// The commitment to the decider's product, `Z₂`.
    DeciderProduct,
    /// The commitment to the decider's quotient, `Q₂`.
    DeciderQuotient,
    /// `W₂`.
    DeciderW,
    /// `W₂′`.
    DeciderWPrime,
}

impl fmt::Display for ProofPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commitment(polynomial) => write!(f, "the commitment to {polynomial}"),
            Self::Piece(piece) => write!(f, "the commitment to piece {piece} of the quotient"),
            Self::W => write!(f, "W"),
            Self::WPrime => write!(f, "W′"),
            Self::Pack(pack) => write!(f, "the commitment to pack {pack}"),
            Self::Quotient => write!(f, "the commitment to the quotient"),
            Self::Values => write!(f, "the commitment to the values"),
            Self::Wires => write!(f, "the commitment to the decider's wires"),
            Self::DeciderProduct => write!(f, "the commitment to the decider's product"),
            Self::DeciderQuotient => write!(f, "the commitment to the decider's quotient"),
            Self::DeciderW => write!(f, "W₂"),
            Self::DeciderWPrime => write!(f, "W₂′"),
        }
    }
}

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// There are not as many inputs as the key says.
    #[error("{found} inputs, and the key has {expected}")]
    InputCount {
        /// How many there are.
        found: usize,
        /// How many the key says.
        expected: usize,
    },
    /// An input is not below `r`.
    #[error("input {0} is not below r")]
    Input(usize),
    /// The proof is not as long as those of the key.
    #[error("{found} bytes, and proofs of this key have {expected}")]
    Length {
        /// How many bytes there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The proof of a key of kind `compact` has neither of its lengths.
    #[error("{found} bytes, and proofs of this key have {short} or {long}")]
    CompactLength {
        /// How many bytes there are.
        found: usize,
        /// How many there should be with short points.
        short: usize,
        /// How many with long ones.
        long: usize,
    },
    /// A point of the proof is none.
    #[error("{point}: {error}")]
    Point {
        /// Which point.
        point: ProofPoint,
        /// What is wrong with it.
        #[source]
        error: PointError,
    },
    /// A value of the proof is not below `r`. Those of the format `compact` are all of its scalars, in order.
    #[error("value {0} is not below r")]
    Value(usize),
    /// A challenge hit a point where the proof says nothing. No prover leaves it so: it would draw
    /// again.
    #[error("a challenge is degenerate")]
    Challenge,
    /// The number that ends a proof of the format `compact` in the long encoding is not the inverse that it should be.
    #[error("the inverse at the end is not the right one")]
    Inverse,
    /// The openings do not hold: the proof does not show what these inputs say under this key.
    #[error("the proof does not hold")]
    Equation,
}

/// The proofs of a batch that are refused, by their place in it, ascending.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} proofs of the batch are refused", .0.len())]
pub struct BatchError(pub Vec<(usize, VerifyError)>);
