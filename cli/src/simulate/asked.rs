//! One ceremony: what is asked for, and what came of it.

use std::path::Path;

use muster_prover::input;
use muster_sweep::{
    frost::{self, Case},
    Machine, Row as _,
};
use muster_threshold::{dkg::Fraction, pvss::Variant};
use serde::{de::Error as _, Deserialize, Deserializer, Serialize};
use serde_json::{json, Value};

use crate::{dkg::Players, files::pvss::refused, progress::Progress, Error};

/// The most stakes: verifying takes the square of them.
const MOST_PLAYERS: usize = 1 << 12;

/// A ceremony, with secrets that whoever simulates it makes up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "protocol", rename_all = "kebab-case")]
pub enum Simulation {
    /// FROST with a dealer.
    Frost(Case),
    /// Key generation without one.
    Dkg(DkgAsked),
}

impl<'de> Deserialize<'de> for Simulation {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (protocol, fields) = input::tagged(from, "protocol")?;
        match protocol.as_str() {
            "frost" => input::from_value(fields).map(Self::Frost).map_err(D::Error::custom),
            "dkg" => input::from_value(fields).map(Self::Dkg).map_err(D::Error::custom),
            other => Err(D::Error::unknown_variant(other, &["frost", "dkg"])),
        }
    }
}

/// What a simulation of a key generation is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DkgAsked {
    /// Stakes of the players.
    pub stakes: Vec<u64>,
    /// Players with up to this fraction of the stake cannot reconstruct: `A/B`.
    pub secrecy: String,
    /// Players with more than this fraction can.
    pub reconstruction: String,
    /// How ciphertexts are proved.
    pub variant: String,
    /// Bits of a chunk.
    pub chunk_bits: u32,
}

/// What came of a ceremony.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulated {
    /// What was asked for.
    pub(super) asked: Simulation,
    /// Where it ran.
    pub(super) machine: Machine,
    /// Times, and what else there is to say.
    pub(super) measured: Value,
}

impl Simulation {
    /// Holds the ceremony, on this machine.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] for what makes no sense; whatever goes wrong in the ceremony.
    pub fn run(&self) -> Result<Simulated, Error> {
        self.check().map_err(Error::usage)?;
        let machine = Machine::this();
        let measured = match self {
            Self::Frost(asked) => {
                let row = frost::Row::measure(asked, &())?;
                serde_json::to_value(row).map_err(|error| Error::usage(error.to_string()))?
            }
            Self::Dkg(asked) => asked.run()?,
        };
        Ok(Simulated { asked: self.clone(), machine, measured })
    }

    /// Checks what takes no time.
    ///
    /// # Errors
    ///
    /// What is wrong, with the field.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Frost(asked) => asked.check(),
            Self::Dkg(asked) => asked.parsed().map(drop),
        }
    }

    /// Bytes of memory that it takes, at most.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Frost(_) => 128 << 20,
            Self::Dkg(asked) => (256 << 20) + ((asked.stakes.len() as u64) << 20),
        }
    }

    /// Seconds that it takes, roughly.
    pub fn seconds(&self) -> f64 {
        match self {
            Self::Frost(asked) => frost::Row::seconds(asked, &()),
            Self::Dkg(asked) => 1.0 + 0.01 * (asked.stakes.len() as f64).powi(2),
        }
    }
}

impl DkgAsked {
    fn parsed(&self) -> Result<Players<'_>, String> {
        let fraction = |field: &str, text: &str| {
            text.parse::<Fraction>().map_err(|reason| format!("{field}: {reason}"))
        };
        if self.stakes.len() > MOST_PLAYERS {
            let count = self.stakes.len();
            return Err(format!(
                "stakes: {count} players, but at most {MOST_PLAYERS} are possible"
            ));
        }
        if ![8, 16, 32].contains(&self.chunk_bits) {
            return Err(format!("chunk_bits: {} is not 8, 16 or 32", self.chunk_bits));
        }
        let variant: Variant =
            self.variant.parse().map_err(|reason| format!("variant: {reason}"))?;
        Ok(Players {
            stakes: &self.stakes,
            secrecy: fraction("secrecy", &self.secrecy)?,
            reconstruction: fraction("reconstruction", &self.reconstruction)?,
            variant,
            chunk_bits: self.chunk_bits,
        })
    }

    fn run(&self) -> Result<Value, Error> {
        let players = self.parsed().map_err(Error::usage)?;
        let trial = players.run(&Progress::quiet()).map_err(refused(Path::new("stakes")))?;
        Ok(json!({
            "players": self.stakes.len(),
            "threshold": trial.weights.threshold,
            "shares": trial.weights.shares(),
            "bytes": trial.bytes,
            "setup_s": trial.setup.as_secs_f64(),
            "dealing_s": trial.dealing.as_secs_f64(),
            "verifying_s": trial.verifying.as_secs_f64(),
            "decrypting_s": trial.decrypting.as_secs_f64(),
            "verified": trial.verified,
        }))
    }
}

impl Simulated {
    /// What came of a simulation, from its bytes; `path` is what errors call them.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] and [`muster_prover::Error::Field`] for one that is malformed, or of another
    /// ceremony.
    pub fn parse(path: &Path, bytes: &[u8], asked: &Simulation) -> Result<Self, Error> {
        let simulated: Self = input::parse(path, bytes)?;
        if simulated.asked != *asked {
            return Err(Error::field(path, "asked", "not the ceremony that was asked for"));
        }
        match asked {
            Simulation::Frost(asked) => {
                simulated.frost(path, asked)?;
            }
            Simulation::Dkg(_) if simulated.measured["verified"] == true => {}
            Simulation::Dkg(_) => {
                return Err(Error::field(path, "measured.verified", "its signature does not hold"));
            }
        }
        Ok(simulated)
    }

    /// The row of a simulation of FROST.
    pub(super) fn frost(&self, path: &Path, asked: &Case) -> Result<frost::Row, Error> {
        let row = input::from_value(self.measured.clone());
        let row: frost::Row = row.map_err(|reason| Error::field(path, "measured", reason))?;
        if !row.is_of(asked) {
            return Err(Error::field(path, "measured", "a row of another ceremony"));
        }
        Ok(row)
    }
}
