//! Integers in JSON: a number or, since other tools read numbers above 2^53 inexactly, a string of decimal digits.

use std::{fmt, marker::PhantomData};

use muster_schemes::decimal;
use serde::{
    de::{self, Visitor},
    Deserialize, Deserializer, Serialize, Serializer,
};
use serde_json::Value;

/// The greatest integer up to which every JSON reader is exact.
const EXACT: u64 = (1 << 53) - 1;

/// A weight or a threshold as JSON: a number up to 2^53 - 1, and else a string.
pub fn to_json(weight: u128) -> Value {
    match u64::try_from(weight) {
        Ok(number) if number <= EXACT => number.into(),
        _ => weight.to_string().into(),
    }
}

/// An integer as a file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<T>(pub T);

/// A number up to 2^53 - 1, and else a string.
impl<T: Copy + Into<u128>> Serialize for Number<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to_json(self.0.into()).serialize(to)
    }
}

impl<'de, T: TryFrom<u128>> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Digits(PhantomData))
    }
}

struct Digits<T>(PhantomData<T>);

impl<T: TryFrom<u128>> Visitor<'_> for Digits<T> {
    type Value = Number<T>;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let bits = u64::BITS.min(8 * size_of::<T>() as u32);
        write!(out, "an integer below 2^{bits}, or a string of its decimal digits")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Number<T>, E> {
        let read = T::try_from(number.into());
        let unexpected = de::Unexpected::Unsigned(number);
        read.map(Number).map_err(|_| E::invalid_value(unexpected, &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Number<T>, E> {
        let number: u128 = decimal::read(text).map_err(E::custom)?;
        let wide = |_| E::custom(format!("{text} is not below 2^{}", 8 * size_of::<T>()));
        T::try_from(number).map(Number).map_err(wide)
    }
}
