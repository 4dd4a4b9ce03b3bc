//! What is measured: the pieces of each peer, and the sizes they are measured at.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;

use crate::error::PeerError;
use crate::halo2_lib::{self, Halo2LibProver};
use crate::measure::{measure, Measurement};
use crate::midnight::{self, MidnightProver};
use crate::muster::MusterProver;
use crate::pairing::MusterPairing;
use crate::sample::committee_size;
use crate::size::{pairs, positive, power_of_two, Quorum, Size};

/// The library that a piece measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    Halo2Base,
    Halo2Ecc,
    Midnight,
    Muster,
}

impl Peer {
    /// What it is called in a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Muster => "muster",
            _ => self.package(),
        }
    }

    /// The name of its crate.
    fn package(self) -> &'static str {
        match self {
            Self::Halo2Base => "halo2-base",
            Self::Halo2Ecc => "halo2-ecc",
            Self::Midnight => "midnight-zk-stdlib",
            Self::Muster => "muster-prover",
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

/// One statement of one peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "kebab-case")]
pub(crate) enum Piece {
    /// muster of this checkout: k of n members of a committed set signed (ECDSA, secp256k1).
    MusterEcdsaSecp256k1,
    /// muster of this checkout: k of n members of a committed set signed (Ed25519, strict).
    MusterEd25519,
    /// muster of this checkout: a product of pairings is 1 (BN254), by halo2's own prover.
    MusterPairingBn254,
    /// halo2-ecc: a product of pairings is 1 (BN254).
    Halo2EccPairingBn254,
    /// midnight-zk-stdlib: independent Ed25519 signatures on one message, as in its own example.
    MidnightEd25519,
    /// midnight-zk-stdlib: k of n public keys signed (ECDSA, secp256k1), its own example.
    MidnightThresholdEcdsaSecp256k1,
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
            Self::Halo2EccSchnorrSecp256k1
            | Self::Halo2EccEcdsaSecp256k1
            | Self::Halo2EccPairingBn254 => Peer::Halo2Ecc,
            Self::MusterEcdsaSecp256k1 | Self::MusterEd25519 | Self::MusterPairingBn254 => {
                Peer::Muster
            }
            Self::MidnightThresholdEcdsaSecp256k1
            | Self::MidnightQuorumJubjub
            | Self::MidnightSchnorrJubjub
            | Self::MidnightSchnorrSecp256k1
            | Self::MidnightEd25519
            | Self::MidnightPoseidonTree => Peer::Midnight,
        }
    }

    pub(crate) fn size(self) -> Size {
        match self {
            Self::MidnightQuorumJubjub | Self::MidnightSchnorrJubjub => Size::Signatures,
            Self::MusterEcdsaSecp256k1
            | Self::MusterEd25519
            | Self::MidnightThresholdEcdsaSecp256k1 => Size::Quorum,
            Self::MidnightSchnorrSecp256k1
            | Self::MidnightEd25519
            | Self::Halo2EccSchnorrSecp256k1
            | Self::Halo2EccEcdsaSecp256k1 => Size::ForeignSignatures,
            Self::MidnightPoseidonTree | Self::Halo2BasePoseidonTree => Size::Leaves,
            Self::MusterPairingBn254 | Self::Halo2EccPairingBn254 => Size::Pairs,
        }
    }
}

/// A piece at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) piece: Piece,
    /// Signatures or leaves.
    pub(crate) count: usize,
    /// Members of the set; for a piece sized by a quorum, and only there.
    pub(crate) members: Option<usize>,
    /// log2 of the rows, instead of the piece's own choice.
    pub(crate) degree: Option<u32>,
}

/// The comparison of ECDSA on secp256k1: a single signature, the quorum of Midnight's example, one with
/// more members, and the 13 of 19 of a bridge's guardians. halo2-ecc is measured at the two degrees that
/// are close to each other for 13 signatures.
pub(crate) fn ecdsa() -> Vec<Case> {
    let quorums = [(1, 1), (4, 5), (4, 7), (13, 19)];
    let of_quorum = |piece| {
        quorums.map(|(count, members)| Case { piece, count, members: Some(members), degree: None })
    };
    let independent =
        [(1, None), (4, None), (13, Some(18)), (13, Some(19))].map(|(count, degree)| Case {
            piece: Piece::Halo2EccEcdsaSecp256k1,
            count,
            members: None,
            degree,
        });
    [
        of_quorum(Piece::MusterEcdsaSecp256k1),
        of_quorum(Piece::MidnightThresholdEcdsaSecp256k1),
        independent,
    ]
    .concat()
}

impl Case {
    /// Members of the set, for a piece that has one.
    fn members(self) -> usize {
        self.members.unwrap_or(self.count)
    }

    /// How many signatures are proven, if that is what is counted.
    pub(crate) fn signatures(self) -> Option<usize> {
        (!matches!(self.piece.size(), Size::Leaves | Size::Pairs)).then_some(self.count)
    }

    /// What is proven, in words.
    pub(crate) fn statement(self) -> String {
        let count = self.count;
        match self.piece {
            Piece::MusterEcdsaSecp256k1 => {
                format!("{count} of {} members, ECDSA, secp256k1", self.members())
            }
            Piece::MidnightThresholdEcdsaSecp256k1 => {
                format!("{count} of {} public keys, ECDSA, secp256k1", self.members())
            }
            Piece::MusterEd25519 => {
                format!("{count} of {} members, Ed25519, SHA-512", self.members())
            }
            Piece::MidnightEd25519 => format!("{count} x Ed25519, SHA-512"),
            Piece::MusterPairingBn254 | Piece::Halo2EccPairingBn254 => {
                format!("product of {count} pairings, BN254")
            }
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

    /// The rows of circuits where they trade against columns, halo2-lib's and a pairing of Muster's: measured on two
    /// cores for a few sizes, scaled for the others; see the README.
    fn usual_degree(self) -> u32 {
        let doublings = self.count.next_power_of_two().ilog2();
        match self.piece {
            Piece::Halo2BasePoseidonTree => 7 + doublings,
            Piece::Halo2EccPairingBn254 => 16 + doublings,
            Piece::MusterPairingBn254 => 13 + doublings,
            _ => 15 + doublings,
        }
    }

    /// Measures in this process.
    pub(crate) fn run(self, runs: usize) -> Result<Measurement, PeerError> {
        let Self { piece, count, degree, .. } = self;
        let rows = degree.unwrap_or_else(|| self.usual_degree());
        match piece {
            Piece::MusterEcdsaSecp256k1 => {
                measure(MusterProver::ecdsa_secp256k1(count, self.members(), degree)?, runs)
            }
            Piece::MusterEd25519 => {
                measure(MusterProver::ed25519(count, self.members(), degree)?, runs)
            }
            Piece::MusterPairingBn254 => measure(MusterPairing::new(count, rows)?, runs),
            Piece::Halo2EccPairingBn254 => {
                measure(Halo2LibProver::new(halo2_lib::Pairing::sample(count), rows), runs)
            }
            Piece::MidnightEd25519 => {
                measure(MidnightProver::new(midnight::Ed25519::sample(count), degree), runs)
            }
            Piece::MidnightThresholdEcdsaSecp256k1 => {
                let sample = midnight::ThresholdEcdsa::sample(count, self.members());
                measure(MidnightProver::new(sample, degree), runs)
            }
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

/// `PIECE=COUNT`, `PIECE=COUNT/MEMBERS`, and either with `@DEGREE`.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.piece.name(), self.count)?;
        if let Some(members) = self.members {
            write!(f, "/{members}")?;
        }
        if let Some(degree) = self.degree {
            write!(f, "@{degree}")?;
        }
        Ok(())
    }
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage =
            "a case is PIECE=COUNT, or PIECE=COUNT/MEMBERS for a quorum, and may end in @DEGREE";
        let (piece, size) = text.split_once('=').ok_or(usage)?;
        let piece = Piece::from_str(piece, false)
            .map_err(|_| format!("there is no piece {piece}; --help lists them"))?;
        let (size, degree) = match size.split_once('@') {
            Some((size, degree)) => (size, Some(degree.parse().map_err(|_| usage)?)),
            None => (size, None),
        };
        let (count, members) = match piece.size() {
            Size::Quorum => {
                let Quorum { signatures, members } = size.parse()?;
                (signatures, Some(members))
            }
            Size::Leaves => (power_of_two(size)?, None),
            Size::Signatures | Size::ForeignSignatures => (positive(size)?, None),
            Size::Pairs => (pairs(size)?, None),
        };
        Ok(Self { piece, count, members, degree })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_from_the_lock_file() {
        for peer in [Peer::Halo2Base, Peer::Halo2Ecc, Peer::Midnight, Peer::Muster] {
            assert_ne!(peer.version(), "unknown", "{}", peer.package());
        }
        assert_eq!(locked_version("name = \"a\"\nversion = \"1.2.3\"\n", "a"), Some("1.2.3"));
        assert_eq!(locked_version("name = \"ab\"\nversion = \"1.2.3\"\n", "a"), None);
    }

    /// The smallest size of each quick piece: a true proof is accepted, a false one refused.
    #[test]
    fn quick_pieces_prove_and_verify() {
        for piece in [Piece::MidnightSchnorrJubjub, Piece::MidnightQuorumJubjub] {
            let measured = Case { piece, count: 1, members: None, degree: None }.run(1);
            assert!(measured.is_ok(), "{}: {measured:?}", piece.name());
        }
        let quick =
            ["halo2-base-poseidon-tree=64", "muster-ecdsa-secp256k1=1/1", "muster-pairing-bn254=2"];
        for case in quick {
            let measured = case.parse::<Case>().map(|case| case.run(1));
            assert!(matches!(measured, Ok(Ok(_))), "{case}: {measured:?}");
        }
    }

    #[test]
    fn cases_are_read_as_they_are_written() {
        for case in ecdsa() {
            assert_eq!(case.to_string().parse(), Ok(case));
        }
        let case = "midnight-threshold-ecdsa-secp256k1=4/5@17".parse::<Case>();
        assert!(case.is_ok_and(|it| (it.count, it.members, it.degree) == (4, Some(5), Some(17))));
        for bad in [
            "nothing=1",
            "halo2-ecc-ecdsa-secp256k1",
            "halo2-ecc-ecdsa-secp256k1=0",
            "halo2-ecc-ecdsa-secp256k1=1/2",
            "halo2-ecc-ecdsa-secp256k1=1@x",
            "muster-ecdsa-secp256k1=4",
            "muster-ecdsa-secp256k1=6/5",
            "midnight-poseidon-tree=3",
            "muster-pairing-bn254=1",
        ] {
            assert!(bad.parse::<Case>().is_err(), "{bad}");
        }
    }
}
