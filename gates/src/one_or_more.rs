//! How a layout's file writes gates of one kind: a single gate as itself, as in files made when there could be no more,
//! and several as a list.

use std::fmt;

use serde::{
    de::{value::MapAccessDeserializer, Error, MapAccess, SeqAccess, Visitor},
    Deserialize, Deserializer, Serialize, Serializer,
};

use super::foreign::ForeignLayout;

pub(super) fn serialize<S: Serializer>(
    gates: &[ForeignLayout],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match gates {
        [gate] => gate.serialize(serializer),
        gates => gates.serialize(serializer),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ForeignLayout>, D::Error> {
    deserializer.deserialize_any(OneOrMore)
}

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
