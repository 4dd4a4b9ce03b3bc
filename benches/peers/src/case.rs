//! What is measured: the pieces of each peer, and the sizes they are measured at.

use clap::ValueEnum;

use crate::error::PeerError;
use crate::halo2_lib::{self, Halo2LibProver};
use crate::measure::{measure, Measurement};
use crate::midnight::{self, MidnightProver};

/// Every key, signature and SRS here comes from this seed: insecure by design, equal in each run.
pub(crate) const SEED: u64 = 0x6d75_7374_6572;

/// A committee is twice as large as its quorum, here and in the sweep of muster.
pub(crate) const fn committee_size(signatures: usize) -> usize {
    2 * signatures
}

/// The library that a piece measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    Halo2Base,
    Halo2Ecc,
    Midnight,
}

impl Peer {
    /// The name of its crate.
    pub(crate) fn package(self) -> &'static str {
        match self {
            Self::Halo2Base => "halo2-base",
            Self::Halo2Ecc => "halo2-ecc",
            Self::Midnight => "midnight-zk-stdlib",
        }
    }

    /// The version that was built, read from this workspace's lock file.
    pub(crate) fn version(self) -> &'static str {
        locked_version(include_str!("../Cargo.lock"), self.package()).unwrap_or("unknown")
    }
}

fn locked_version<'l>(lock: &'l str, package: &str) -> Option<&'l str> {
    let mut lines = lock.lines();
    lines.find(|line| {
        line.strip_prefix("name = ").is_some_and(|it| it.trim_matches('"') == package)
    })?;
    Some(lines.next()?.strip_prefix("version = ")?.trim_matches('"'))
}

/// The number that sizes a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Signatures on the curve embedded in the proof system's field.
    Signatures,
    /// Signatures on a curve over a foreign field.
    ForeignSignatures,
    /// Leaves of a tree.
    Leaves,
}

/// One statement of one peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "kebab-case")]
pub(crate) enum Piece {
    /// midnight-zk-stdlib: k of 2k members of a committed set signed (Jubjub).
    MidnightQuorumJubjub,
    /// midnight-zk-stdlib: independent Schnorr signatures on Jubjub.
    MidnightSchnorrJubjub,
    /// midnight-zk-stdlib: independent Schnorr signatures on secp256k1.
    MidnightSchnorrSecp256k1,
    /// halo2-ecc: independent Schnorr signatures on secp256k1.
    Halo2EccSchnorrSecp256k1,
    /// halo2-ecc: independent ECDSA signatures on secp256k1.
    Halo2EccEcdsaSecp256k1,
    /// midnight-zk-stdlib: the Poseidon root of a binary tree.
    MidnightPoseidonTree,
    /// halo2-base: the Poseidon root of a binary tree.
    Halo2BasePoseidonTree,
}

impl Piece {
    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    pub(crate) fn peer(self) -> Peer {
        match self {
            Self::Halo2BasePoseidonTree => Peer::Halo2Base,
            Self::Halo2EccSchnorrSecp256k1 | Self::Halo2EccEcdsaSecp256k1 => Peer::Halo2Ecc,
            Self::MidnightQuorumJubjub
            | Self::MidnightSchnorrJubjub
            | Self::MidnightSchnorrSecp256k1
            | Self::MidnightPoseidonTree => Peer::Midnight,
        }
    }

    pub(crate) fn size(self) -> Size {
        match self {
            Self::MidnightQuorumJubjub | Self::MidnightSchnorrJubjub => Size::Signatures,
            Self::MidnightSchnorrSecp256k1
            | Self::Halo2EccSchnorrSecp256k1
            | Self::Halo2EccEcdsaSecp256k1 => Size::ForeignSignatures,
            Self::MidnightPoseidonTree | Self::Halo2BasePoseidonTree => Size::Leaves,
        }
    }
}

/// A piece at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) piece: Piece,
    pub(crate) count: usize,
}

impl Case {
    /// What is proven, in words.
    pub(crate) fn statement(self) -> String {
        let count = self.count;
        match self.piece {
            Piece::MidnightQuorumJubjub => {
                format!("{count} of {} members, Schnorr, Jubjub", committee_size(count))
            }
            Piece::MidnightSchnorrJubjub => format!("{count} x Schnorr, Jubjub"),
            Piece::MidnightSchnorrSecp256k1 | Piece::Halo2EccSchnorrSecp256k1 => {
                format!("{count} x Schnorr, secp256k1, no hash")
            }
            Piece::Halo2EccEcdsaSecp256k1 => format!("{count} x ECDSA, secp256k1"),
            Piece::MidnightPoseidonTree | Piece::Halo2BasePoseidonTree => {
                format!("Poseidon tree, {count} leaves")
            }
        }
    }

    /// The rows of halo2-lib's circuits, where rows trade against columns: measured on two cores for a
    /// few sizes, scaled for the others; see the README.
    fn halo2_lib_degree(self) -> u32 {
        let doublings = self.count.next_power_of_two().ilog2();
        match self.piece {
            Piece::Halo2BasePoseidonTree => 7 + doublings,
            _ => 15 + doublings,
        }
    }

    /// Measures in this process; `degree` overrides the default.
    pub(crate) fn run(self, degree: Option<u32>, runs: usize) -> Result<Measurement, PeerError> {
        let Self { piece, count } = self;
        let rows = degree.unwrap_or_else(|| self.halo2_lib_degree());
        match piece {
            Piece::MidnightQuorumJubjub => {
                measure(MidnightProver::new(midnight::QuorumJubjub::sample(count), degree), runs)
            }
            Piece::MidnightSchnorrJubjub => {
                measure(MidnightProver::new(midnight::SchnorrJubjub::sample(count), degree), runs)
            }
            Piece::MidnightSchnorrSecp256k1 => {
                let sample = midnight::SchnorrSecp256k1::sample(count);
                measure(MidnightProver::new(sample, degree), runs)
            }
            Piece::MidnightPoseidonTree => {
                measure(MidnightProver::new(midnight::PoseidonTree::sample(count), degree), runs)
            }
            Piece::Halo2EccSchnorrSecp256k1 => {
                let statement = halo2_lib::SchnorrSecp256k1::sample(count);
                measure(Halo2LibProver::new(statement, rows), runs)
            }
            Piece::Halo2EccEcdsaSecp256k1 => {
                let statement = halo2_lib::EcdsaSecp256k1::sample(count);
                measure(Halo2LibProver::new(statement, rows), runs)
            }
            Piece::Halo2BasePoseidonTree => {
                let statement = halo2_lib::PoseidonTree::sample(count);
                measure(Halo2LibProver::new(statement, rows), runs)
            }
        }
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} x {}", self.piece.name(), self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_from_the_lock_file() {
        for peer in [Peer::Halo2Base, Peer::Halo2Ecc, Peer::Midnight] {
            assert_ne!(peer.version(), "unknown", "{}", peer.package());
        }
        assert_eq!(locked_version("name = \"a\"\nversion = \"1.2.3\"\n", "a"), Some("1.2.3"));
        assert_eq!(locked_version("name = \"ab\"\nversion = \"1.2.3\"\n", "a"), None);
    }

    /// The smallest size of each quick piece: a true proof is accepted, a false one refused.
    #[test]
    fn quick_pieces_prove_and_verify() {
        for piece in [Piece::MidnightSchnorrJubjub, Piece::MidnightQuorumJubjub] {
            let measured = Case { piece, count: 1 }.run(None, 1);
            assert!(measured.is_ok(), "{}: {measured:?}", piece.name());
        }
        let measured = Case { piece: Piece::Halo2BasePoseidonTree, count: 64 }.run(None, 1);
        assert!(measured.is_ok(), "{measured:?}");
    }
}
