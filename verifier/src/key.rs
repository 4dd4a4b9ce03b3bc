//! Keys and their bytes. Section 2 of the specification.

use std::fmt;

use ark_bn254::{Bn254, G1Affine, G2Affine};
use ark_ec::{pairing::Pairing, AffineRepr};

use crate::{
    arrangement::Polynomial,
    encoding::{
        point_g2, point_or_identity, scalar_from_bytes, scalar_to_bytes, Reader, POINT, POINT_G2,
        SCALAR,
    },
    equation::Equation,
    error::{KeyError, ProtocolError},
    opening::Openings,
    parts::{Column, Node, ProtocolParts, Table},
    protocol::Protocol,
    transcript::hash,
};

const MAGIC: &[u8; 16] = b"muster-verifier1";
const KIND_FAST: u8 = 1;
const HASH_KECCAK256: u8 = 1;
const STRIDE: u32 = 1;
/// The longest description.
const DESCRIPTION: usize = 65_536;

/// What a key is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyParts {
    /// The circuit.
    pub protocol: Protocol,
    /// What the inputs mean. The verifier does not interpret it.
    pub description: Vec<u8>,
    /// Whether the SRS is a ceremony's. If not, its maker may know `τ`, and prove anything.
    pub is_ceremony: bool,
    /// `[τ]₂`.
    pub tau_g2: [u8; 128],
    /// The commitment to each fixed column.
    pub fixed: Vec<[u8; 64]>,
    /// The commitment to σ of each copied column.
    pub sigma: Vec<[u8; 64]>,
}

/// A verifier's key: a circuit, and commitments to what is fixed in it.
#[derive(Clone)]
pub struct Key {
    parts: KeyParts,
    digest: [u8; 32],
    pub(crate) tau: <Bn254 as Pairing>::G2Prepared,
    /// The commitments to fixed columns, then those to σ.
    pub(crate) commitments: Vec<G1Affine>,
    pub(crate) equation: Equation,
    pub(crate) openings: Openings,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl Key {
    /// The key of these parts.
    ///
    /// # Errors
    ///
    /// If a point is none, or not one that the specification allows, or if there are not as many as
    /// columns.
    pub fn new(parts: KeyParts) -> Result<Self, KeyError> {
        let protocol = &parts.protocol;
        if parts.description.len() > DESCRIPTION {
            return Err(KeyError::Description(parts.description.len()));
        }
        let tau = point_g2(&parts.tau_g2).map_err(KeyError::Tau)?;
        if tau == G2Affine::generator() {
            return Err(KeyError::TauIsOne);
        }
        let fixed = points(&parts.fixed, protocol.fixed(), Polynomial::Fixed)?;
        let sigma = points(&parts.sigma, protocol.copied().len(), Polynomial::Sigma)?;
        Ok(Self {
            digest: hash(&[&to_bytes(&parts)]),
            tau: tau.into(),
            commitments: [fixed, sigma].concat(),
            equation: Equation::new(protocol),
            openings: Openings::new(protocol),
            parts,
        })
    }

    /// Reads a key from all of these bytes.
    ///
    /// # Errors
    ///
    /// If they are not what [`Key::to_bytes`] makes of some key.
    pub fn read(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::new(read(&mut Reader::new(bytes))?)
    }

    /// The one encoding of the key.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.parts)
    }

    /// The Keccak-256 of the key's bytes.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The circuit.
    pub fn protocol(&self) -> &Protocol {
        &self.parts.protocol
    }

    /// What the inputs mean.
    pub fn description(&self) -> &[u8] {
        &self.parts.description
    }

    /// Whether the SRS is a ceremony's. If not, its maker may know `τ`, and prove anything.
    pub fn is_ceremony(&self) -> bool {
        self.parts.is_ceremony
    }

    /// `[τ]₂`.
    pub fn tau_g2(&self) -> [u8; 128] {
        self.parts.tau_g2
    }

    /// The commitment to each fixed column.
    pub fn fixed(&self) -> &[[u8; 64]] {
        &self.parts.fixed
    }

    /// The commitment to σ of each copied column.
    pub fn sigma(&self) -> &[[u8; 64]] {
        &self.parts.sigma
    }
}

/// As many points as expected, each of which may be the identity.
fn points(
    bytes: &[[u8; POINT]],
    expected: usize,
    name: fn(usize) -> Polynomial,
) -> Result<Vec<G1Affine>, KeyError> {
    if bytes.len() != expected {
        return Err(KeyError::Commitments { found: bytes.len(), expected });
    }
    let points = bytes.iter().enumerate().map(|(number, bytes)| {
        point_or_identity(bytes)
            .map_err(|error| KeyError::Commitment { polynomial: name(number), error })
    });
    points.collect()
}

/// Reads the parts of a key, and nothing after them.
fn read(reader: &mut Reader) -> Result<KeyParts, KeyError> {
    if reader.array().ok_or(KeyError::Truncated)? != MAGIC {
        return Err(KeyError::NotAKey);
    }
    let [kind, hash, srs] = *reader.array().ok_or(KeyError::Truncated)?;
    if kind != KIND_FAST {
        return Err(KeyError::Kind(kind));
    }
    if hash != HASH_KECCAK256 {
        return Err(KeyError::Hash(hash));
    }
    let is_ceremony = match srs {
        0 => false,
        1 => true,
        _ => return Err(KeyError::Srs(srs)),
    };
    let tau_g2: &[u8; POINT_G2] = reader.array().ok_or(KeyError::Truncated)?;
    let length = number(reader)?;
    if length > DESCRIPTION {
        return Err(KeyError::Description(length));
    }
    let description = reader.slice(length).ok_or(KeyError::Truncated)?;
    let protocol = Protocol::new(read_protocol(reader)?)?;
    let fixed = reader.points(protocol.fixed()).ok_or(KeyError::Truncated)?;
    let sigma = reader.points(protocol.copied().len()).ok_or(KeyError::Truncated)?;
    if reader.remaining() > 0 {
        return Err(KeyError::TrailingBytes(reader.remaining()));
    }
    Ok(KeyParts {
        protocol,
        description: description.to_vec(),
        is_ceremony,
        tau_g2: *tau_g2,
        fixed: fixed.to_vec(),
        sigma: sigma.to_vec(),
    })
}

fn read_protocol(reader: &mut Reader) -> Result<ProtocolParts, KeyError> {
    let k = reader.number().ok_or(KeyError::Truncated)?;
    let usable = number(reader)?;
    let stride = reader.number().ok_or(KeyError::Truncated)?;
    if stride != STRIDE {
        return Err(KeyError::Stride(stride));
    }
    let fixed = number(reader)?;
    let advice = number(reader)?;
    let inputs = number(reader)?;
    // The fewest bytes that an entry has: of nodes, a cell of the inputs; of tables, one of width 1
    // with one input.
    let nodes = list(reader, 5, read_node)?;
    let constraints = list(reader, 4, |reader, _| number(reader))?;
    let tables = list(reader, 16, read_table)?;
    let copied = list(reader, 5, |reader, _| read_copied(reader))?;
    Ok(ProtocolParts { k, usable, fixed, advice, inputs, nodes, constraints, tables, copied })
}

fn number(reader: &mut Reader) -> Result<usize, KeyError> {
    Ok(reader.number().ok_or(KeyError::Truncated)? as usize)
}

/// A count and as many entries. Before room is made for them the bytes that are left must have it.
fn list<T>(
    reader: &mut Reader,
    fewest: usize,
    entry: impl Fn(&mut Reader, usize) -> Result<T, KeyError>,
) -> Result<Vec<T>, KeyError> {
    let count = number(reader)?;
    if count > reader.remaining() / fewest {
        return Err(KeyError::Truncated);
    }
    (0..count).map(|place| entry(reader, place)).collect()
}

fn read_node(reader: &mut Reader, place: usize) -> Result<Node, KeyError> {
    let kind = reader.byte().ok_or(KeyError::Truncated)?;
    let node = match kind {
        0 => {
            let bytes: &[u8; SCALAR] = reader.array().ok_or(KeyError::Truncated)?;
            Node::Constant(scalar_from_bytes(bytes).ok_or(KeyError::Constant(place))?)
        }
        1 => read_cell(Column::Fixed(number(reader)?), reader)?,
        2 => read_cell(Column::Advice(number(reader)?), reader)?,
        3 => read_cell(Column::Inputs, reader)?,
        4 => Node::Sum(number(reader)?, number(reader)?),
        5 => Node::Product(number(reader)?, number(reader)?),
        _ => return Err(KeyError::NodeType(kind)),
    };
    Ok(node)
}

fn read_cell(column: Column, reader: &mut Reader) -> Result<Node, KeyError> {
    let rotation = reader.signed().ok_or(KeyError::Truncated)?;
    Ok(Node::Cell { column, rotation })
}

fn read_table(reader: &mut Reader, place: usize) -> Result<Table, KeyError> {
    let expressions = list(reader, 4, |reader, _| number(reader))?;
    let width = expressions.len();
    // Inputs without nodes have no bytes, so that these would not limit how many there are.
    if width == 0 {
        return Err(ProtocolError::TableWidth(place).into());
    }
    let inputs = list(reader, 4 * width, |reader, _| (0..width).map(|_| number(reader)).collect())?;
    Ok(Table { expressions, inputs })
}

fn read_copied(reader: &mut Reader) -> Result<Column, KeyError> {
    let kind = reader.byte().ok_or(KeyError::Truncated)?;
    let column = reader.number().ok_or(KeyError::Truncated)?;
    match kind {
        1 => Ok(Column::Fixed(column as usize)),
        2 => Ok(Column::Advice(column as usize)),
        3 if column == 0 => Ok(Column::Inputs),
        3 => Err(KeyError::InputsNumber(column)),
        _ => Err(KeyError::ColumnType(kind)),
    }
}

/// The bytes of a key.
fn to_bytes(parts: &KeyParts) -> Vec<u8> {
    let protocol = &parts.protocol;
    let mut bytes = MAGIC.to_vec();
    bytes.extend([KIND_FAST, HASH_KECCAK256, u8::from(parts.is_ceremony)]);
    bytes.extend(parts.tau_g2);
    write_number(&mut bytes, parts.description.len());
    bytes.extend(&parts.description);
    bytes.extend(protocol.k().to_be_bytes());
    write_number(&mut bytes, protocol.usable());
    bytes.extend(STRIDE.to_be_bytes());
    for count in [protocol.fixed(), protocol.advice(), protocol.inputs(), protocol.nodes().len()] {
        write_number(&mut bytes, count);
    }
    for node in protocol.nodes() {
        write_node(&mut bytes, node);
    }
    write_list(&mut bytes, protocol.constraints());
    write_number(&mut bytes, protocol.tables().len());
    for table in protocol.tables() {
        write_list(&mut bytes, &table.expressions);
        write_number(&mut bytes, table.inputs.len());
        for &node in table.inputs.iter().flatten() {
            write_number(&mut bytes, node);
        }
    }
    write_number(&mut bytes, protocol.copied().len());
    for &column in protocol.copied() {
        write_column(&mut bytes, column);
    }
    bytes.extend(parts.fixed.iter().chain(&parts.sigma).flatten());
    bytes
}

/// A number of which a protocol has checked that it fits.
fn write_number(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend((number as u32).to_be_bytes());
}

fn write_list(bytes: &mut Vec<u8>, list: &[usize]) {
    write_number(bytes, list.len());
    for &entry in list {
        write_number(bytes, entry);
    }
}

fn write_node(bytes: &mut Vec<u8>, node: &Node) {
    match *node {
        Node::Constant(constant) => {
            bytes.push(0);
            bytes.extend(scalar_to_bytes(&constant));
        }
        Node::Cell { column, rotation } => {
            match column {
                Column::Inputs => bytes.push(3),
                column => write_column(bytes, column),
            }
            bytes.extend(rotation.to_be_bytes());
        }
        Node::Sum(left, right) => {
            bytes.push(4);
            write_number(bytes, left);
            write_number(bytes, right);
        }
        Node::Product(left, right) => {
            bytes.push(5);
            write_number(bytes, left);
            write_number(bytes, right);
        }
    }
}

fn write_column(bytes: &mut Vec<u8>, column: Column) {
    let (kind, number) = match column {
        Column::Fixed(number) => (1, number),
        Column::Advice(number) => (2, number),
        Column::Inputs => (3, 0),
    };
    bytes.push(kind);
    write_number(bytes, number);
}
