//! Numbers as files have them.

use std::fmt;

use muster_schemes::decimal;
use serde::de::{Error, Unexpected, Visitor};

/// The visitor of an integer of so many bits: a number or, since other tools read those above 2^53 inexactly, a string of
/// its decimal digits.
pub(super) struct Integer<V> {
    visitor: V,
    bits: u32,
}

/// The visitor of a number that need not be an integer.
pub(super) struct Real<V>(pub(super) V);

impl<V> Integer<V> {
    /// That of an integer below `2^bits`.
    pub(super) fn new(visitor: V, bits: u32) -> Self {
        Self { visitor, bits }
    }

    fn fits(&self, number: u64) -> bool {
        number.checked_shr(self.bits).unwrap_or(0) == 0
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Integer<V> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "an integer below 2^{}, or a string of its decimal digits", self.bits)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        if self.fits(number) {
            self.visitor.visit_u64(number)
        } else {
            Err(E::invalid_value(Unexpected::Unsigned(number), &self))
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        let number = decimal::read(text).map_err(E::custom)?;
        if self.fits(number) {
            self.visitor.visit_u64(number)
        } else {
            Err(E::custom(format!("{text} is not below 2^{}", self.bits)))
        }
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Real<V> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("a number")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        self.0.visit_u64(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<V::Value, E> {
        self.0.visit_i64(number)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<V::Value, E> {
        self.0.visit_f64(number)
    }
}
