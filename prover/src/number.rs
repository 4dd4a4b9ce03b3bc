//! Integers in JSON: a number or, since other tools read numbers above 2^53 inexactly, a string of decimal digits.

use std::{fmt, marker::PhantomData};

use muster_schemes::decimal;
use serde::{
    de::{self, Visitor},
    Deserialize, Deserializer,
};

/// An integer as a file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<T>(pub T);

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
