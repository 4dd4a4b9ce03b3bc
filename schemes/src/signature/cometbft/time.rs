//! What differs between the precommits of validators: the time, also as a text, and the signature.

use std::str::FromStr;

use rand_core::RngCore;

use super::{error::PrecommitError, wire};
use crate::signature::MemberSignature;

/// Bytes of an Ed25519 signature.
pub const SIGNATURE: usize = 64;
/// Bytes of a signature with its time: seconds follow it in eight bytes, nanoseconds in four, both big-endian.
pub const TIMED_SIGNATURE: usize = SIGNATURE + 8 + 4;
/// Nanoseconds of a second.
pub const SECOND: u32 = 1_000_000_000;

/// Days from the first of January of the year 1 to that of 1970.
const DAYS_TO_1970: i64 = 719_162;
/// Digits of nanoseconds.
const NANO_DIGITS: usize = 9;

/// When a validator signed, by its own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

/// A signature on a precommit and the time that is signed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimedSignature {
    /// The signature.
    pub signature: [u8; SIGNATURE],
    /// The time.
    pub time: Timestamp,
}

impl Timestamp {
    /// A time: seconds since 1970, any number of them, and nanoseconds after these.
    ///
    /// # Errors
    ///
    /// [`PrecommitError::Nanos`] for a second or more of nanoseconds.
    pub fn new(seconds: i64, nanos: u32) -> Result<Self, PrecommitError> {
        let is_part = nanos < SECOND;
        is_part.then_some(Self { seconds, nanos }).ok_or(PrecommitError::Nanos(nanos))
    }

    /// A random time from 2020 to early 2054.
    pub fn random(rng: &mut impl RngCore) -> Self {
        let seconds = 1_577_836_800 + i64::from(rng.next_u32() >> 2);
        Self { seconds, nanos: rng.next_u32() % SECOND }
    }

    /// Seconds since 1970.
    pub fn seconds(&self) -> i64 {
        self.seconds
    }

    /// Nanoseconds after these.
    pub fn nanos(&self) -> u32 {
        self.nanos
    }

    /// `google.protobuf.Timestamp`, in which a negative number has ten bytes.
    pub(super) fn encoded(&self) -> Vec<u8> {
        let seconds = wire::number(wire::SECONDS, self.seconds as u64);
        [seconds, wire::number(wire::NANOS, self.nanos.into())].concat()
    }
}

impl MemberSignature for TimedSignature {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }
}

impl TimedSignature {
    /// The bytes of a signature in a file: the signature, then seconds and nanoseconds, big-endian.
    pub fn to_bytes(&self) -> [u8; TIMED_SIGNATURE] {
        let Timestamp { seconds, nanos } = self.time;
        let bytes = [&self.signature[..], &seconds.to_be_bytes(), &nanos.to_be_bytes()].concat();
        bytes.try_into().expect("the parts of a signature have their lengths")
    }

    /// Reads [`Self::to_bytes`].
    ///
    /// # Errors
    ///
    /// [`PrecommitError::Length`] and [`PrecommitError::Nanos`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PrecommitError> {
        let wrong = PrecommitError::Length { expected: TIMED_SIGNATURE, found: bytes.len() };
        let mut rest: &[u8] = <&[u8; TIMED_SIGNATURE]>::try_from(bytes).map_err(|_| wrong)?;
        let signature = wire::take(&mut rest);
        let seconds = i64::from_be_bytes(wire::take(&mut rest));
        let nanos = u32::from_be_bytes(wire::take(&mut rest));
        Ok(Self { signature, time: Timestamp::new(seconds, nanos)? })
    }
}

/// Reads times as CometBFT's JSON has them, RFC 3339 in UTC, seconds with up to nine decimals:
/// `2023-11-02T13:14:15.123456789Z`. Offsets other than `Z` and the second 60 are refused: CometBFT writes
/// neither.
impl FromStr for Timestamp {
    type Err = PrecommitError;

    fn from_str(text: &str) -> Result<Self, PrecommitError> {
        let read = parts(text).and_then(|(date, time, nanos)| {
            let (days, seconds) = (days(date)?, seconds(time)?);
            Self::new(86_400 * days + seconds, nanos).ok()
        });
        read.ok_or_else(|| PrecommitError::Time(text.to_owned()))
    }
}

/// Date, time of day, and nanoseconds.
fn parts(text: &str) -> Option<([i64; 3], [i64; 3], u32)> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (time, fraction) = match time.split_once('.') {
        Some((time, fraction)) => (time, Some(fraction)),
        None => (time, None),
    };
    Some((numbers(date, '-', [4, 2, 2])?, numbers(time, ':', [2; 3])?, nanos(fraction)?))
}

/// Three numbers with these numbers of digits.
fn numbers(text: &str, between: char, widths: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(between);
    let mut read = [0; 3];
    for (number, width) in read.iter_mut().zip(widths) {
        *number = digits(parts.next()?, width..=width)?;
    }
    parts.next().is_none().then_some(read)
}

fn digits(text: &str, widths: std::ops::RangeInclusive<usize>) -> Option<i64> {
    let is_number = widths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

fn nanos(fraction: Option<&str>) -> Option<u32> {
    let Some(text) = fraction else { return Some(0) };
    let number = u32::try_from(digits(text, 1..=NANO_DIGITS)?).ok()?;
    Some(number * 10u32.pow((NANO_DIGITS - text.len()) as u32))
}

/// Days since 1970, in the Gregorian calendar.
fn days([year, month, day]: [i64; 3]) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if is_leap { 29 } else { 28 };
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = usize::try_from(month - 1).ok()?;
    let is_day = year >= 1 && (1..=*months.get(month)?).contains(&day);
    let before = year - 1;
    let years = 365 * before + before / 4 - before / 100 + before / 400;
    is_day.then(|| years + months[..month].iter().sum::<i64>() + day - 1 - DAYS_TO_1970)
}

/// Seconds of the day.
fn seconds([hours, minutes, seconds]: [i64; 3]) -> Option<i64> {
    let is_time = hours < 24 && minutes < 60 && seconds < 60;
    is_time.then_some(3600 * hours + 60 * minutes + seconds)
}
