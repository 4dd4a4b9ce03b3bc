//! Integers in decimal digits, wherever a text has one: on the command line, in files, in names of forms.

use std::{fmt::Display, ops::RangeInclusive};

use num_traits::Unsigned;
use thiserror::Error;

/// Why a text is no integer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecimalError {
    /// It has a sign, zeros in front, something else than digits, or nothing.
    #[error("{0:?} is not an integer in decimal digits")]
    Digits(String),
    /// The integer is too large.
    #[error("{text} is not below 2^{bits}")]
    TooLarge {
        /// The digits.
        text: String,
        /// The bits of the type that it is read as.
        bits: usize,
    },
    /// The integer is not one of those asked for.
    #[error("{text} is not from {least} to {most}")]
    Outside {
        /// The digits.
        text: String,
        /// The least that may be given.
        least: String,
        /// The most.
        most: String,
    },
}

/// Whether a text is an integer in its one form: digits, without a sign and without zeros in front.
pub fn is_integer(text: &str) -> bool {
    let has_zeros = text.len() > 1 && text.starts_with('0');
    !text.is_empty() && !has_zeros && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads an integer in its one form, as an unsigned type.
///
/// # Errors
///
/// [`DecimalError`].
pub fn read<T: TryFrom<u128> + Unsigned>(text: &str) -> Result<T, DecimalError> {
    if !is_integer(text) {
        return Err(DecimalError::Digits(text.to_owned()));
    }
    let number = text.parse::<u128>().ok().and_then(|number| number.try_into().ok());
    let bits = 8 * size_of::<T>();
    number.ok_or_else(|| DecimalError::TooLarge { text: text.to_owned(), bits })
}

/// Reads integers of a range, as [`read`] does: for an option of a command line.
///
/// # Errors
///
/// Those of [`read`], and [`DecimalError::Outside`].
pub fn within<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, DecimalError> + Clone + Send + Sync + 'static
where
    T: TryFrom<u128> + Unsigned + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = read(text)?;
        if range.contains(&number) {
            return Ok(number);
        }
        let [least, most] = [range.start(), range.end()].map(T::to_string);
        Err(DecimalError::Outside { text: text.to_owned(), least, most })
    }
}

#[cfg(test)]
mod tests;
