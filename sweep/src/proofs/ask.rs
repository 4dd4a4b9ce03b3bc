//! What a row is asked for: the case, the degree, and all else that tells two rows apart.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use muster_circuits::{KeyKind, MessageForm, Mode, PointHash};
use muster_schemes::decimal;
use serde::{Deserialize, Serialize};

/// Smallest degree that can be asked for: below it no circuit of ours fits.
const LEAST_DEGREE: u32 = 5;
/// Largest degree that can be asked for: an SRS of 2^24 powers has 2 GiB.
const LARGEST_DEGREE: u32 = 24;

/// `signing` of `signers` members sign, written `signing/signers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    /// How many sign.
    pub signing: usize,
    /// Members of the set.
    pub signers: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.signing, self.signers)
    }
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| decimal::read::<usize>(text).ok().filter(|number| *number > 0);
        let parts = text.split_once('/');
        let parts = parts.and_then(|(signing, signers)| Some((number(signing)?, number(signers)?)));
        let (signing, signers) = parts.ok_or("a case is signing/signers, for example 8/16")?;
        if signing > signers {
            return Err(format!("{signing} cannot sign out of {signers}"));
        }
        Ok(Self { signing, signers })
    }
}

/// The degree that a row is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Degree {
    /// The one that is estimated to be fastest.
    Auto,
    /// This one.
    Fixed(u32),
}

impl Degree {
    /// The degree, unless it is left open.
    pub fn fixed(self) -> Option<u32> {
        match self {
            Self::Auto => None,
            Self::Fixed(degree) => Some(degree),
        }
    }
}

impl fmt::Display for Degree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(degree) => write!(f, "{degree}"),
        }
    }
}

impl FromStr for Degree {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let usage = "a degree is auto, a number such as 14, or a range such as 14..19";
        let degree = decimal::read(text).map_err(|_| usage.to_owned())?;
        if !(LEAST_DEGREE..=LARGEST_DEGREE).contains(&degree) {
            return Err(format!("a degree is between {LEAST_DEGREE} and {LARGEST_DEGREE}"));
        }
        Ok(Self::Fixed(degree))
    }
}

impl From<Degree> for String {
    fn from(degree: Degree) -> Self {
        degree.to_string()
    }
}

impl TryFrom<String> for Degree {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// One degree, or a range of them with both ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Degrees {
    /// One.
    One(Degree),
    /// From the first to the last, both of them included.
    Range(RangeInclusive<u32>),
}

impl Degrees {
    /// All of them.
    pub fn list(&self) -> Vec<Degree> {
        match self {
            Self::One(degree) => vec![*degree],
            Self::Range(range) => range.clone().map(Degree::Fixed).collect(),
        }
    }
}

impl FromStr for Degrees {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((first, last)) = text.split_once("..") else {
            return Ok(Self::One(text.parse()?));
        };
        // 14..19 and 14..=19 mean the same: nobody who sweeps up to 19 wants to end at 18.
        let last = last.strip_prefix('=').unwrap_or(last);
        let end = |text: &str| {
            let end = text.parse::<Degree>()?.fixed();
            end.ok_or_else(|| "the ends of a range of degrees are numbers".to_owned())
        };
        let (first, last) = (end(first)?, end(last)?);
        if first > last {
            return Err(format!("the range {first}..{last} is empty"));
        }
        Ok(Self::Range(first..=last))
    }
}

/// Everything that tells a row from another: a finished row with the same is not run again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    /// Name of the scheme.
    pub scheme: String,
    /// Degree asked for.
    pub degree: Degree,
    /// How many sign, of how many.
    pub case: Case,
    /// Name of the membership mode, or `auto`.
    pub mode: String,
    /// How the set names its members.
    pub keys: KeyKind,
    /// Name of the rule on s, for a scheme with a choice of it.
    pub rule: Option<String>,
    /// What of a message is public, if it is not the message itself.
    pub message_form: Option<MessageForm>,
    /// How messages are hashed to points, if not in the default way.
    pub hash: Option<PointHash>,
    /// Whether statements say who signed.
    pub mask: bool,
    /// Children of a tree node.
    pub arity: usize,
    /// Name of the proofs' format.
    pub kind: String,
    /// What is kept between proofs, or `auto`.
    pub memory: String,
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.scheme)?;
        if !self.keys.is_coordinates() {
            write!(f, "by {} ", self.keys)?;
        }
        if let Some(form) = self.message_form {
            write!(f, "{form} ")?;
        }
        if let Some(hash) = self.hash {
            write!(f, "{hash} ")?;
        }
        if self.mask {
            f.write_str("with a mask ")?;
        }
        write!(f, "{}", self.case)?;
        match self.degree {
            Degree::Auto => Ok(()),
            Degree::Fixed(degree) => write!(f, " at 2^{degree}"),
        }
    }
}

/// The mode in words.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::WholeSet => "whole-set",
        Mode::Path => "path",
        Mode::Complement => "complement",
    }
}
