//! Numbers of parts, written as ranges: `0-4,6`.

use std::{collections::BTreeSet, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A set of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Parts(pub(crate) BTreeSet<usize>);

/// Text that is no list of ranges.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no list of ranges, such as 0-4,6: {0}")]
pub(crate) struct NoRanges(String);

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut rest = self.0.iter().copied().peekable();
        let mut comma = "";
        while let Some(first) = rest.next() {
            let mut last = first;
            while let Some(next) = rest.next_if(|next| *next == last + 1) {
                last = next;
            }
            write!(f, "{comma}{first}")?;
            if last > first {
                write!(f, "-{last}")?;
            }
            comma = ",";
        }
        Ok(())
    }
}

impl FromStr for Parts {
    type Err = NoRanges;

    fn from_str(text: &str) -> Result<Self, NoRanges> {
        let range = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some(first.parse::<usize>().ok()?..=last.parse().ok()?)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        let ranges = ranges.ok_or_else(|| NoRanges(text.to_owned()))?;
        Ok(Self(ranges.into_iter().flatten().collect()))
    }
}

impl TryFrom<String> for Parts {
    type Error = NoRanges;

    fn try_from(text: String) -> Result<Self, NoRanges> {
        text.parse()
    }
}

impl From<Parts> for String {
    fn from(parts: Parts) -> Self {
        parts.to_string()
    }
}

#[test]
fn ranges_there_and_back() {
    for (numbers, text) in [
        (vec![7], "7"),
        (vec![0, 1], "0-1"),
        (vec![0, 1, 2, 4, 6, 7, 30], "0-2,4,6-7,30"),
        (vec![9, 10, 11], "9-11"),
    ] {
        let parts = Parts(numbers.into_iter().collect());
        assert_eq!(parts.to_string(), text);
        assert_eq!(text.parse(), Ok(parts));
    }
    for bad in ["", "1,", "-1", "1-", "a", "1-2-3"] {
        assert!(bad.parse::<Parts>().is_err(), "{bad}");
    }
}
