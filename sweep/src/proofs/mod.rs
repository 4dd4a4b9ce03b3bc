//! `muster sweep`: what keys, proofs and verifications cost over schemes, degrees and cases.
//!
//! A sweep is planned whole (`plan`): each row gets its circuit's shape, an estimate of its memory
//! and of its time. Then each row runs in a process of its own (`process`, `measure`), so that the peak
//! of its memory is its own, and after each row the files of results are replaced. On a cluster the
//! rows are tasks of an array ([`slurm`]), and each leaves a file; [`elsewhere`] is what other carriers need.

pub mod elsewhere;
mod measure;
mod plan;
mod plot;
mod process;
mod row;
mod run;
pub mod slurm;
#[cfg(test)]
mod tests;

use std::{fmt, path::PathBuf, str::FromStr, time::Duration};

use muster_circuits::{KeyKind, MessageForm, Mode, PointHash, Request};
use muster_prover::ProofKind;
use muster_schemes::decimal;
use serde::{Deserialize, Serialize};

use crate::{Allowance, Existing};

pub use measure::{run_row, Measurement};
pub use run::run;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Degree {
    /// The one that is estimated to be fastest.
    #[default]
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

/// One degree, or all of a range with both ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degrees(pub Vec<Degree>);

impl FromStr for Degrees {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((first, last)) = text.split_once("..") else {
            return Ok(Self(vec![text.parse()?]));
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
        Ok(Self((first..=last).map(Degree::Fixed).collect()))
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

/// A sweep, as it is asked for.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The rows, each of them once, and the circuits that they ask for.
    pub rows: Vec<(Ask, Request)>,
    /// Proofs of a row, whose median time is taken.
    pub repeat: usize,
    /// Format of the proofs.
    pub kind: ProofKind,
    /// How much memory a row may take.
    pub memory: Allowance,
    /// Rows at once.
    pub jobs: usize,
    /// How long it may take: rows that are estimated not to fit are left out, and none is begun later.
    pub budget: Option<Duration>,
    /// Directory for the results.
    pub out: PathBuf,
    /// What happens to those that are there.
    pub existing: Existing,
    /// File with a ceremony's SRS.
    pub srs: Option<PathBuf>,
    /// The second file of a .point pair.
    pub srs_g2: Option<PathBuf>,
}

impl Sweep {
    /// Threads of a row: those of all rows together are no more than this process may have, as far as that goes.
    pub fn threads(&self) -> usize {
        (rayon::current_num_threads() / self.jobs).max(1)
    }

    /// What the rows are asked for.
    pub(super) fn asks(&self) -> Vec<Ask> {
        self.rows.iter().map(|(ask, _)| ask.clone()).collect()
    }
}
