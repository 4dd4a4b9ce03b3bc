//! What keys are made of, their bytes, and those that contracts store. Sections 2 and 9 of the specification.

use crate::{
    encoding::{scalar_from_bytes, scalar_to_bytes, Reader, POINT_G2, SCALAR},
    error::{KeyError, ProtocolError},
    packing::{check_count, check_equation, check_size, check_stride, Packing, Round},
    parts::{Column, Node, ProtocolParts, Table},
    protocol::{check_rows, Bounds, Protocol},
    transcript::hash,
};

const MAGIC: &[u8; 16] = b"muster-verifier1";
const EVM_MAGIC: &[u8; 16] = b"muster-evm-key-1";
const KIND_FAST: u8 = 1;
const KIND_COMPACT: u8 = 2;
const HASH_KECCAK256: u8 = 1;
/// The stride of a key of kind `fast`.
const STRIDE: u32 = 1;
/// The longest description.
pub(super) const DESCRIPTION: usize = 65_536;

/// What a key of kind `fast` is made of.
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

/// What a key of kind `compact` is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactKeyParts {
    /// The circuit, and which of its polynomials share a commitment.
    pub packing: Packing,
    /// What the inputs mean. The verifier does not interpret it.
    pub description: Vec<u8>,
    /// Whether the SRS is a ceremony's. If not, its maker may know `τ`, and prove anything.
    pub is_ceremony: bool,
    /// `[τ]₂`.
    pub tau_g2: [u8; 128],
    /// The commitment to each pack of fixed columns and σ.
    pub packs: Vec<[u8; 64]>,
    /// `K₂`: the commitment to [`Decider::columns`](crate::Decider::columns). A key with another one may accept
    /// anything, and no reader of keys can tell.
    pub decider: [u8; 64],
}

/// The parts of a key of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    Fast(KeyParts),
    Compact {
        parts: CompactKeyParts,
        /// `k₂`: the decider has `2^k₂` rows.
        decider_k: u32,
    },
}

/// Reads the parts of a key, and nothing after them.
pub(super) fn read(reader: &mut Reader) -> Result<Parts, KeyError> {
    if reader.array().ok_or(KeyError::Truncated)? != MAGIC {
        return Err(KeyError::NotAKey);
    }
    let [kind, hash, srs] = *reader.array().ok_or(KeyError::Truncated)?;
    if ![KIND_FAST, KIND_COMPACT].contains(&kind) {
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
    let description = reader.slice(length).ok_or(KeyError::Truncated)?.to_vec();
    let (parts, stride) = read_protocol(reader, kind)?;
    let (tau_g2, protocol) = (*tau_g2, Protocol::new(parts)?);
    let parts = if kind == KIND_FAST {
        let fixed = reader.points(protocol.fixed()).ok_or(KeyError::Truncated)?.to_vec();
        let sigma = reader.points(protocol.copied().len()).ok_or(KeyError::Truncated)?.to_vec();
        Parts::Fast(KeyParts { protocol, description, is_ceremony, tau_g2, fixed, sigma })
    } else {
        let packing = read_packing(reader, protocol, stride)?;
        let packs = reader.points(packing.count(Round::Key)).ok_or(KeyError::Truncated)?.to_vec();
        let decider_k = reader.number().ok_or(KeyError::Truncated)?;
        let decider = *reader.array().ok_or(KeyError::Truncated)?;
        let parts = CompactKeyParts { packing, description, is_ceremony, tau_g2, packs, decider };
        Parts::Compact { parts, decider_k }
    };
    if reader.remaining() > 0 {
        return Err(KeyError::TrailingBytes(reader.remaining()));
    }
    Ok(parts)
}

/// Reads which polynomials of a circuit share a commitment.
fn read_packing(reader: &mut Reader, protocol: Protocol, stride: u32) -> Result<Packing, KeyError> {
    check_equation(&protocol)?;
    let count = number(reader)?;
    check_count(&protocol, count)?;
    // A pack has one polynomial at least, and a polynomial four bytes.
    let packs = entries(reader, count, 8, |reader, pack| {
        let count = number(reader)?;
        check_size(pack, count, stride)?;
        entries(reader, count, 4, |reader, _| number(reader))
    })?;
    Ok(Packing::new(protocol, stride, packs)?)
}

/// Reads a circuit and the stride. What counts say that rules forbid is refused before anything is made of what they count.
fn read_protocol(reader: &mut Reader, kind: u8) -> Result<(ProtocolParts, u32), KeyError> {
    let k = reader.number().ok_or(KeyError::Truncated)?;
    let usable = number(reader)?;
    let stride = reader.number().ok_or(KeyError::Truncated)?;
    let fixed = number(reader)?;
    let advice = number(reader)?;
    let inputs = number(reader)?;
    check_rows(k, usable, inputs)?;
    match kind {
        KIND_FAST if stride != STRIDE => return Err(KeyError::Stride(stride)),
        KIND_COMPACT => check_stride(stride)?,
        _ => {}
    }
    let mut bounds = Bounds::default();
    bounds.take_values(fixed.saturating_add(advice))?;
    // The fewest bytes that an entry has: of nodes, a cell of the inputs; of tables, one of width 1
    // with one input.
    let nodes = list(reader, 5, read_node)?;
    let constraints = list(reader, 4, |reader, _| number(reader))?;
    let count = number(reader)?;
    bounds.take_values(count)?;
    let tables =
        entries(reader, count, 16, |reader, place| read_table(reader, place, &mut bounds))?;
    let count = number(reader)?;
    bounds.take_copied(count)?;
    let copied = entries(reader, count, 5, |reader, _| read_copied(reader))?;
    let parts =
        ProtocolParts { k, usable, fixed, advice, inputs, nodes, constraints, tables, copied };
    Ok((parts, stride))
}

fn number(reader: &mut Reader) -> Result<usize, KeyError> {
    Ok(reader.number().ok_or(KeyError::Truncated)? as usize)
}

/// A count and as many entries.
fn list<T>(
    reader: &mut Reader,
    fewest: usize,
    entry: impl FnMut(&mut Reader, usize) -> Result<T, KeyError>,
) -> Result<Vec<T>, KeyError> {
    let count = number(reader)?;
    entries(reader, count, fewest, entry)
}

/// Entries of at least so many bytes each. Before room is made for them the bytes that are left must have it.
fn entries<T>(
    reader: &mut Reader,
    count: usize,
    fewest: usize,
    mut entry: impl FnMut(&mut Reader, usize) -> Result<T, KeyError>,
) -> Result<Vec<T>, KeyError> {
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

fn read_table(reader: &mut Reader, place: usize, bounds: &mut Bounds) -> Result<Table, KeyError> {
    let expressions = list(reader, 4, |reader, _| number(reader))?;
    let width = expressions.len();
    // Inputs without nodes have no bytes, so that these would not limit how many there are.
    if width == 0 {
        return Err(ProtocolError::TableWidth(place).into());
    }
    let count = number(reader)?;
    bounds.take_inputs(count)?;
    let inputs = entries(reader, count, 4 * width, |reader, _| {
        (0..width).map(|_| number(reader)).collect()
    })?;
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

/// The bytes of a key of kind `fast`.
pub(super) fn fast_bytes(parts: &KeyParts) -> Vec<u8> {
    let mut bytes = begin(KIND_FAST, parts.is_ceremony, &parts.tau_g2, &parts.description);
    write_protocol(&mut bytes, &parts.protocol, STRIDE);
    bytes.extend(parts.fixed.iter().chain(&parts.sigma).flatten());
    bytes
}

/// The bytes of a key of kind `compact` whose decider has `2^k` rows.
pub(super) fn compact_bytes(parts: &CompactKeyParts, k: u32) -> Vec<u8> {
    let mut bytes = begin(KIND_COMPACT, parts.is_ceremony, &parts.tau_g2, &parts.description);
    write_protocol(&mut bytes, parts.packing.protocol(), parts.packing.stride());
    write_number(&mut bytes, parts.packing.packs().len());
    for pack in parts.packing.packs() {
        write_list(&mut bytes, &pack.polynomials);
    }
    bytes.extend(parts.packs.as_flattened());
    bytes.extend(k.to_be_bytes());
    bytes.extend(parts.decider);
    bytes
}

/// What keys begin with.
fn begin(kind: u8, is_ceremony: bool, tau_g2: &[u8; POINT_G2], description: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([kind, HASH_KECCAK256, u8::from(is_ceremony)]);
    bytes.extend(tau_g2);
    write_number(&mut bytes, description.len());
    bytes.extend(description);
    bytes
}

fn write_protocol(bytes: &mut Vec<u8>, protocol: &Protocol, stride: u32) {
    bytes.extend(protocol.k().to_be_bytes());
    write_number(bytes, protocol.usable());
    bytes.extend(stride.to_be_bytes());
    for count in [protocol.fixed(), protocol.advice(), protocol.inputs(), protocol.nodes().len()] {
        write_number(bytes, count);
    }
    for node in protocol.nodes() {
        write_node(bytes, node);
    }
    write_list(bytes, protocol.constraints());
    write_number(bytes, protocol.tables().len());
    for table in protocol.tables() {
        write_list(bytes, &table.expressions);
        write_number(bytes, table.inputs.len());
        for &node in table.inputs.iter().flatten() {
            write_number(bytes, node);
        }
    }
    write_number(bytes, protocol.copied().len());
    for &column in protocol.copied() {
        write_column(bytes, column);
    }
}

/// A number of which a protocol or a packing has checked that it fits.
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

/// The EVM key: all that verifying a proof of the format `compact` needs of a key, for a contract to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmKey {
    bytes: Vec<u8>,
    name: [u8; 32],
}

impl EvmKey {
    /// The EVM key of the key with these parts, which has this digest and a decider of `2^k` rows.
    pub(super) fn new(parts: &CompactKeyParts, k: u32, digest: &[u8; 32]) -> Self {
        let packing = &parts.packing;
        let mut bytes = EVM_MAGIC.to_vec();
        bytes.extend(k.to_be_bytes());
        write_number(&mut bytes, packing.protocol().inputs());
        write_number(&mut bytes, packing.count(Round::First));
        write_number(&mut bytes, packing.count(Round::Second));
        bytes.extend(digest);
        bytes.extend(parts.tau_g2);
        bytes.extend(parts.decider);
        bytes.extend(parts.packs.as_flattened());
        Self { name: hash(&[&bytes]), bytes }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The Keccak-256 of the bytes, which is the name of the key. Who knows it needs no other check of an EVM key.
    pub fn name(&self) -> [u8; 32] {
        self.name
    }
}
