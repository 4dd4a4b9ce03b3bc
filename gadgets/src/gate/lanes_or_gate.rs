//! The SHA-256 gate in the file of a layout: the number of its lanes, as in files that were made when each had four bits
//! of a word in a row, and the gate itself where it has another number.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::sha2_layout::Sha2Layout;

/// Bits of a word in a row of the lanes that a file only counts.
const BITS: usize = 4;

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "a number of lanes, or their bits and number")]
enum LanesOrGate {
    Lanes(usize),
    Gate(Sha2Layout),
}

pub(super) fn serialize<S: Serializer>(
    gate: &Option<Sha2Layout>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let written = gate.map(|gate| match gate.bits {
        BITS => LanesOrGate::Lanes(gate.lanes),
        _ => LanesOrGate::Gate(gate),
    });
    written.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Sha2Layout>, D::Error> {
    Ok(Some(match LanesOrGate::deserialize(deserializer)? {
        LanesOrGate::Lanes(lanes) => Sha2Layout { bits: BITS, lanes },
        LanesOrGate::Gate(gate) => gate,
    }))
}
