//! Choices that a scheme may leave open.

use std::fmt;

pub use muster_gadgets::signature::ecdsa::Rule;
use serde::{Deserialize, Serialize};

/// How a set names its members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyKind {
    /// By the coordinates of their keys.
    #[default]
    Coordinates,
    /// By Ethereum addresses.
    Address,
}

impl KeyKind {
    /// Whether it is by coordinates.
    pub fn is_coordinates(&self) -> bool {
        *self == Self::Coordinates
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coordinates => "coordinates",
            Self::Address => "address",
        })
    }
}

/// Serde for the rule of a shape.
pub(crate) mod rule_as_name {
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    use super::Rule;

    pub(crate) fn serialize<S: Serializer>(rule: &Option<Rule>, to: S) -> Result<S::Ok, S::Error> {
        match rule {
            Some(rule) => to.serialize_str(rule.name()),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Rule>, D::Error> {
        let name = String::deserialize(from)?;
        let rule = Rule::ALL.into_iter().find(|rule| rule.name() == name);
        rule.map(Some).ok_or_else(|| D::Error::custom(format!("unknown rule {name:?}")))
    }
}
