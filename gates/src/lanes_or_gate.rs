//! How a layout's file writes the SHA-256 gate: as the number of its lanes if a row has four bits of each word, as in
//! files made when it always had; otherwise as the gate itself.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::sha2_layout::Sha2Layout;

/// Bits of each word in a row if a file has only the number of lanes.
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
