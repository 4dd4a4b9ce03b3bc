//! Which columns a circuit has, how a file says so, and how much of them its recorded work takes.

use std::{collections::BTreeSet, fmt};

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use serde::{
    de::{value::MapAccessDeserializer, Error, MapAccess, SeqAccess, Visitor},
    Deserialize, Deserializer, Serialize, Serializer,
};

use muster_schemes::decimal;

use super::foreign::{Block, ForeignLayout};

/// Rows that have a selector of their own in each part of a step.
pub(super) const QUADS: usize = 4;

/// Columns of the Poseidon gate of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseidonLayout {
    /// Elements of the state.
    pub width: usize,
    /// S-boxes per row of a lane; a lane has twice as many columns.
    pub columns: usize,
    /// Permutations side by side.
    pub lanes: usize,
}

/// Columns of the gate of SHA-256 or SHA-512.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sha2Layout {
    /// Bits of each word in a row: 1 to 5 for SHA-256, 1 to 16 for SHA-512. A lane has three times as many columns plus
    /// two.
    pub bits: usize,
    /// Chains of compressions side by side.
    pub lanes: usize,
}

impl Sha2Layout {
    /// Advice columns of a lane.
    pub fn columns(&self) -> usize {
        3 * self.bits + 2
    }

    /// Fixed columns, which all lanes share: selectors and, for 64-bit words, which are read in either byte order, the
    /// weights of their bytes, or of single bits where rows do not line up with bytes.
    pub fn fixed_columns(&self, word: usize) -> usize {
        const OTHERS: usize = 6 + QUADS - 1;
        let weights = match (word, self.bits.is_power_of_two()) {
            (64, true) => self.bits.div_ceil(8),
            (64, false) => self.bits,
            _ => 0,
        };
        OTHERS + 2 * word.div_ceil(self.bits).div_ceil(QUADS) + weights
    }
}

/// How many columns of each kind a circuit has. With the recorded work it fixes the verifying key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// log₂ of the number of rows.
    pub k: u32,
    /// Columns of halo2-base's vertical gate.
    pub vertical_columns: usize,
    /// Running-sum columns.
    pub range_columns: usize,
    /// Limb width of the range checks in bits.
    pub range_bits: usize,
    /// Poseidon gates, one per width.
    pub poseidon: Vec<PoseidonLayout>,
    /// Lanes of the Edwards gate.
    pub edwards_lanes: usize,
    /// Elements of an entry of the set gate; 0, the default, if there is no such gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub set_elements: usize,
    /// Lanes of the Keccak gate; 0, the default, if there is no such gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub keccak_lanes: usize,
    /// The SHA-256 gate; none by default. A file has only its number of lanes if a row has four bits of each word.
    #[serde(
        default,
        rename = "sha256_lanes",
        skip_serializing_if = "Option::is_none",
        serialize_with = "serialize_sha256",
        deserialize_with = "deserialize_sha256"
    )]
    pub sha256: Option<Sha2Layout>,
    /// The SHA-512 gate; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha512: Option<Sha2Layout>,
    /// Rows that the vertical gate leaves for the constants of the circuit.
    pub constant_rows: usize,
    /// Gates of relations modulo foreign primes, with lookups of `range_bits` bits; each has columns of its own and a
    /// different element length. In a file the field is absent for none, the gate itself for one, and a list for
    /// several.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "serialize_foreign",
        deserialize_with = "deserialize_foreign"
    )]
    pub foreign: Vec<ForeignLayout>,
}

/// Whether a count is 0: it is then not written, as if there were no such gate.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Layout {
    /// The rows of relations modulo foreign primes, of each gate.
    ///
    /// # Panics
    /// If two of them have elements of the same length, by which gadgets tell them apart.
    pub fn blocks(&self) -> Vec<Block> {
        let native = halo2_base::utils::modulus::<Fr>();
        let lengths: BTreeSet<_> = self.foreign.iter().map(|gate| gate.element_bits).collect();
        assert_eq!(lengths.len(), self.foreign.len(), "a gate for each length of elements");
        let gates = self.foreign.iter();
        gates.map(|gate| Block::new(native.clone(), gate, self.range_bits)).collect()
    }
}

/// Bits of each word in a row if a file has only the number of lanes.
const SHORT_BITS: usize = 4;

/// How a file writes the SHA-256 gate: as the number of its lanes if a row has four bits of each word, otherwise as the
/// gate itself. The digest of a key is over these bytes.
#[derive(Serialize)]
#[serde(untagged)]
enum LanesOrGate {
    Lanes(usize),
    Gate(Sha2Layout),
}

fn serialize_sha256<S: Serializer>(
    gate: &Option<Sha2Layout>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let written = gate.map(|gate| match gate.bits {
        SHORT_BITS => LanesOrGate::Lanes(gate.lanes),
        _ => LanesOrGate::Gate(gate),
    });
    written.serialize(serializer)
}

fn deserialize_sha256<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Sha2Layout>, D::Error> {
    deserializer.deserialize_any(ReadLanesOrGate).map(Some)
}

/// Reads what [`LanesOrGate`] writes. A number may be a string of its digits.
struct ReadLanesOrGate;

impl<'de> Visitor<'de> for ReadLanesOrGate {
    type Value = Sha2Layout;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a number of lanes, or their bits and number")
    }

    fn visit_u64<E: Error>(self, lanes: u64) -> Result<Sha2Layout, E> {
        let lanes = lanes.try_into().map_err(E::custom)?;
        Ok(Sha2Layout { bits: SHORT_BITS, lanes })
    }

    fn visit_str<E: Error>(self, lanes: &str) -> Result<Sha2Layout, E> {
        let lanes = decimal::read(lanes).map_err(E::custom)?;
        Ok(Sha2Layout { bits: SHORT_BITS, lanes })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Sha2Layout, A::Error> {
        Sha2Layout::deserialize(MapAccessDeserializer::new(map))
    }
}

fn serialize_foreign<S: Serializer>(
    gates: &[ForeignLayout],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match gates {
        [gate] => gate.serialize(serializer),
        gates => gates.serialize(serializer),
    }
}

fn deserialize_foreign<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ForeignLayout>, D::Error> {
    deserializer.deserialize_any(OneOrMore)
}

/// How a file writes the gates of relations: a single gate as itself, and several as a list. The digest of a key is over
/// these bytes.
struct OneOrMore;

impl<'de> Visitor<'de> for OneOrMore {
    type Value = Vec<ForeignLayout>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a gate of relations, or a list of several")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Ok(vec![ForeignLayout::deserialize(MapAccessDeserializer::new(map))?])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut gates = vec![];
        while let Some(gate) = list.next_element()? {
            gates.push(gate);
        }
        if gates.len() < 2 {
            return Err(A::Error::invalid_length(gates.len(), &self));
        }
        Ok(gates)
    }
}

/// What recorded work takes, in rows and cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Cells of the vertical gate.
    pub vertical_cells: usize,
    /// Cells of the running sums, one per lookup.
    pub range_cells: usize,
    /// Width, permutations and cells of each Poseidon gate.
    pub poseidon: Vec<(usize, usize, usize)>,
    /// Rows of a lane of the Edwards gate.
    pub edwards_rows: usize,
    /// Rows of the set gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub set_rows: usize,
    /// Rows of all lanes of the Keccak gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub keccak_rows: usize,
    /// Rows of all lanes of the SHA-256 gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sha256_rows: usize,
    /// Rows of all lanes of the SHA-512 gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sha512_rows: usize,
    /// Rows of each gate of relations modulo foreign primes.
    pub foreign_rows: Vec<usize>,
    /// Distinct constants; 0 where only witnesses are recorded.
    pub constants: usize,
}

impl Usage {
    /// All rows and cells, which add up over parts of a circuit; constants do not, since parts may share them.
    pub(super) fn taken(&mut self) -> Vec<&mut usize> {
        let Self {
            vertical_cells,
            range_cells,
            poseidon,
            edwards_rows,
            set_rows,
            keccak_rows,
            sha256_rows,
            sha512_rows,
            foreign_rows,
            constants: _,
        } = self;
        let poseidon = poseidon.iter_mut().flat_map(|(_, count, cells)| [count, cells]);
        [vertical_cells, range_cells, edwards_rows, set_rows, keccak_rows, sha256_rows, sha512_rows]
            .into_iter()
            .chain(poseidon)
            .chain(foreign_rows)
            .collect()
    }
}

/// What key generation decides and the prover must know to place its witness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Where the vertical gate changes columns.
    pub break_points: Vec<usize>,
    /// The constants of the circuit, in the order of their cells.
    pub constants: Vec<Fr>,
}
