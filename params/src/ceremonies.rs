//! Files of ceremonies that are known by their hashes.
//!
//! A hash stands here only if two independent public sources have it, or those who publish the file themselves. Where
//! that is not so, neither does the file.
//!
//! | files | whose | hashes from |
//! |---|---|---|
//! | `ppot-K` | [Perpetual Powers of Tau](https://github.com/privacy-ethereum/perpetualpowersoftau), 80 contributions and a beacon, prepared by PSE | Nightfall's list of the whole bucket, and of each file that is here one or more projects that pin it beside |
//! | `eigenda-19` | the same ceremony after contribution 84, without a beacon, as EigenDA has it | `tools/srs-utils/README.md` of EigenDA |

use crate::{error::FURTHER, origin::Format};

/// A file that can be had from a ceremony.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// Where it is published.
    pub url: &'static str,
    /// Its SHA-256.
    pub sha256: [u8; 32],
    /// Its length.
    pub bytes: u64,
}

/// An SRS that can be had from a ceremony.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownSrs {
    /// A short name.
    pub name: &'static str,
    /// The ceremony, in words.
    pub ceremony: &'static str,
    /// log₂ of the powers that an import has by default.
    pub k: u32,
    /// Powers in the file.
    pub powers: u64,
    /// How it is written.
    pub format: Format,
    /// The file; of a pair the one with the G1 powers.
    pub file: KnownFile,
    /// The file with τ in G2, of a pair.
    pub g2: Option<KnownFile>,
}

/// Bytes of what a `.ptau` of PSE holds beside its points: headers, and the record of 80 contributions.
const PPOT_RECORD: u64 = 93_330;
/// Bytes of its points for each of the 2^k: two powers of τ in G1 and one in G2, one each of α and β; and in the Lagrange
/// bases of all sizes twice as many of each.
const PPOT_POINTS: u64 = 1_152;

const PPOT: &str = "Perpetual Powers of Tau, 80 contributions and a beacon";

/// All that are known, small ones first.
pub const KNOWN: [KnownSrs; 8] = [
    ppot(
        12,
        "ppot-12",
        "https://pse-trusted-setup-ppot.s3.eu-central-1.amazonaws.com/pot28_0080/ppot_0080_12.ptau",
        b"35e163120e724a60853d0dd76ec54037f7c7b00584392255f71a4341d5a05c50",
    ),
    ppot(
        13,
        "ppot-13",
        "https://pse-trusted-setup-ppot.s3.eu-central-1.amazonaws.com/pot28_0080/ppot_0080_13.ptau",
        b"ccee28086e4b81d81a6e16fdee054d1dbd5276362e2662d4205d31de45cb930f",
    ),
    ppot(
        14,
        "ppot-14",
        "https://pse-trusted-setup-ppot.s3.eu-central-1.amazonaws.com/pot28_0080/ppot_0080_14.ptau",
        b"3ca1149e9349b22b0ee0649399cfb787677129b7b1189d1899fc0d615d9583db",
    ),
    ppot(
        16,
        "ppot-16",
        "https://pse-trusted-setup-ppot.s3.eu-central-1.amazonaws.com/pot28_0080/ppot_0080_16.ptau",
        b"ed3622a7c79b0b49aadd134ebbc5b77df8c8c59bccebdfd0d9bf2c1a51561cf9",
    ),
    ppot(
        17,
        "ppot-17",
        "https://pse-trusted-setup-ppot.s3.eu-central-1.amazonaws.com/pot28_0080/ppot_0080_17.ptau",
        b"f807e065fde53f72f4bf4d57140fab85b26daa6cc95bdfec7cce93622b3a367c",
    ),
    ppot(
        18,
        "ppot-18",
        "https://pse-trusted-setup-ppot.s3.eu-central-1.amazonaws.com/pot28_0080/ppot_0080_18.ptau",
        b"9693220206afab749e3d88d4ab5fdf5d36120ea102e7e587ccea0e7a5208e711",
    ),
    KnownSrs {
        name: "eigenda-19",
        ceremony: "Perpetual Powers of Tau, 84 contributions, as EigenDA has it",
        k: 19,
        powers: 1 << 19,
        format: Format::GnarkPoint,
        file: KnownFile {
            url: "https://srs-mainnet.s3.amazonaws.com/kzg/g1.point",
            sha256: bytes(b"8f18b9c04ed4bddcdb73001fb693703197328cecabdfa9025f647410b0c50d7f"),
            bytes: 32 << 19,
        },
        g2: Some(KnownFile {
            url: "https://srs-mainnet.s3.amazonaws.com/kzg/g2.point",
            sha256: bytes(b"a6942684aa751b4ec7873e2edb4660ac5c4516adb3b310441802cc0d489f645a"),
            bytes: 64 << 19,
        }),
    },
    ppot(
        20,
        "ppot-20",
        "https://pse-trusted-setup-ppot.s3.eu-central-1.amazonaws.com/pot28_0080/ppot_0080_20.ptau",
        b"560412532a1205145d5f21585274fb2cef61273496ddc7186aec855aab01a8cd",
    ),
];

impl KnownSrs {
    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KNOWN.iter().find(|known| known.name == name)
    }

    /// log₂ of the most rows of a circuit that proofs can be made over: they take [`FURTHER`] more powers.
    pub fn largest_degree(&self) -> u32 {
        (self.powers - FURTHER as u64).ilog2()
    }
}

const fn ppot(k: u32, name: &'static str, url: &'static str, sha256: &[u8; 64]) -> KnownSrs {
    KnownSrs {
        name,
        ceremony: PPOT,
        k,
        powers: (2 << k) - 1,
        format: Format::SnarkjsPtau,
        file: KnownFile { url, sha256: bytes(sha256), bytes: (PPOT_POINTS << k) + PPOT_RECORD },
        g2: None,
    }
}

/// The bytes of hex digits.
const fn bytes(hex: &[u8; 64]) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut place = 0;
    while place < 32 {
        bytes[place] = digit(hex[2 * place]) << 4 | digit(hex[2 * place + 1]);
        place += 1;
    }
    bytes
}

const fn digit(hex: u8) -> u8 {
    match hex {
        b'0'..=b'9' => hex - b'0',
        b'a'..=b'f' => hex - b'a' + 10,
        _ => panic!("a hex digit"),
    }
}
