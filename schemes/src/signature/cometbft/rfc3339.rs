//! Times as CometBFT's JSON has them: RFC 3339 in UTC, seconds with up to nine decimals.

use std::str::FromStr;

use super::{error::PrecommitError, time::Timestamp};

/// Days from the first of January of the year 1 to that of 1970.
const DAYS_TO_1970: i64 = 719_162;
/// Digits of nanoseconds.
const NANO_DIGITS: usize = 9;

/// Reads `2023-11-02T13:14:15.123456789Z`. Offsets other than `Z` and the second 60 are refused: CometBFT writes
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
