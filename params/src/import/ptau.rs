//! snarkjs' `.ptau` (`snarkjs/src/powersoftau_utils.js`, iden3's binfileutils): magic `ptau`, u32
//! version 1, u32 number of sections, then for each u32 type, u64 size and content, little-endian.
//!
//! | section | content |
//! |---|---|
//! | 1 | u32 n8 = 32, q, u32 power, u32 power of the ceremony |
//! | 2 | `2^(power+1) − 1` powers of τ in G1 |
//! | 3 | `2^power` powers of τ in G2 |
//! | others | α and β powers, contributions, Lagrange points: skipped |
//!
//! Points are affine x ‖ y, coordinates little-endian in Montgomery form, Fq2 as c0 ‖ c1.

use std::path::Path;

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fq, G1Affine, G2Affine},
    ff::PrimeField,
};

use crate::{
    degree::{check_degree, choose_degree},
    error::{ParamsError, PointName},
    origin::{Format, Origin},
    parts::Parts,
    points,
    source::Source,
    srs::Srs,
};

pub(super) const MAGIC: &[u8] = b"ptau";
const VERSION: u32 = 1;
/// Bytes before the content of a section: its type and size.
const SECTION_HEADER: u64 = 12;

/// Imports a `.ptau`, prepared for phase 2 or not, truncated or not. By default k is its power; from power 3 on, the
/// further powers are there for every k.
///
/// # Errors
/// [`Format`](ParamsError::Format) for a wrong magic, version or section,
/// [`WrongCurve`](ParamsError::WrongCurve) for another prime,
/// [`Truncated`](ParamsError::Truncated), [`TrailingBytes`](ParamsError::TrailingBytes), a bad
/// [`Point`](ParamsError::Point), [`WrongTau`](ParamsError::WrongTau),
/// [`KnownTau`](ParamsError::KnownTau), [`NotEnoughPoints`](ParamsError::NotEnoughPoints),
/// [`Degree`](ParamsError::Degree), [`Io`](ParamsError::Io).
pub fn ptau(path: &Path, k: Option<u32>) -> Result<Srs, ParamsError> {
    let mut source = Source::open(path)?;
    if source.array::<4>()? != MAGIC {
        return Err(source.format("wrong magic: not a .ptau file"));
    }
    let version = source.u32()?;
    if version != VERSION {
        return Err(
            source.format(format!("version {version} of .ptau; only version {VERSION} is known"))
        );
    }
    let sections = source.u32()?;
    source.need(u64::from(sections) * SECTION_HEADER)?;
    let mut reader = Reader { source, target: k, header: None, g: None, g2: None };
    for _ in 0..sections {
        reader.section()?;
    }
    let Reader { source, header, g, g2, .. } = reader;
    let missing = |what: &str| source.format(format!("section missing: {what}"));
    let header = header.ok_or_else(|| missing("1, the header"))?;
    let (g, further) = g.ok_or_else(|| missing("2, the powers in G1"))?;
    let (g2, s_g2) = g2.ok_or_else(|| missing("3, the powers in G2"))?;
    let file = source.finish()?;
    let parts = Parts { k: header.k, g, further, g_lagrange: None, g2, s_g2 };
    Ok(Srs::new(parts.verified(path)?, Origin::one_file(Format::SnarkjsPtau, file)))
}

#[derive(Clone, Copy)]
struct Header {
    /// log₂ of the number of G2 powers in the file.
    power: u32,
    /// log₂ of the number of G1 powers to take.
    k: u32,
}

/// What the sections read so far have given.
struct Reader {
    source: Source,
    target: Option<u32>,
    header: Option<Header>,
    /// The powers to take, and those that follow.
    g: Option<(Vec<G1Affine>, Vec<G1Affine>)>,
    g2: Option<(G2Affine, G2Affine)>,
}

impl Reader {
    fn section(&mut self) -> Result<(), ParamsError> {
        let kind = self.source.u32()?;
        let size = self.source.u64()?;
        self.source.need(size)?;
        let seen = match kind {
            1 => self.header.is_some(),
            2 => self.g.is_some(),
            3 => self.g2.is_some(),
            _ => return self.source.skip(size),
        };
        if seen {
            return Err(self.source.format(format!("section {kind} occurs twice")));
        }
        match kind {
            1 => self.header = Some(self.read_header(size)?),
            2 => self.g = Some(self.read_g1(size)?),
            _ => self.g2 = Some(self.read_g2(size)?),
        }
        Ok(())
    }

    fn read_header(&mut self, size: u64) -> Result<Header, ParamsError> {
        let n8 = self.source.u32()?;
        let wrong_curve = |source: &Source, reason: String| ParamsError::WrongCurve {
            path: source.path().to_path_buf(),
            reason,
        };
        if n8 != points::FIELD as u32 {
            return Err(wrong_curve(&self.source, format!("coordinates of {n8} bytes")));
        }
        self.expect_size(1, size, 4 + points::FIELD as u64 + 8)?;
        let mut prime = self.source.array::<{ points::FIELD }>()?;
        prime.reverse();
        let prime = format!("0x{}", hex::encode(prime));
        if prime != Fq::MODULUS {
            return Err(wrong_curve(&self.source, format!("its prime is {prime}")));
        }
        let power = self.source.u32()?;
        check_degree(power)
            .map_err(|_| self.source.format(format!("absurd power {power} in the header")))?;
        let ceremony_power = self.source.u32()?;
        if power > ceremony_power {
            let reason = format!("power {power} above the ceremony's own, {ceremony_power}");
            return Err(self.source.format(reason));
        }
        let k = choose_degree(self.source.path(), self.target, 1 << power)?;
        Ok(Header { power, k })
    }

    fn read_g1(&mut self, size: u64) -> Result<(Vec<G1Affine>, Vec<G1Affine>), ParamsError> {
        let Header { power, k } = self.known_header(2)?;
        let found = (2u64 << power) - 1;
        self.expect_size(2, size, found * points::G1_RAW as u64)?;
        let (g, further) = self.source.powers(k, found, points::G1_RAW, points::g1_raw)?;
        let left = found - (g.len() + further.len()) as u64;
        self.source.skip(left * points::G1_RAW as u64)?;
        Ok((g, further))
    }

    fn read_g2(&mut self, size: u64) -> Result<(G2Affine, G2Affine), ParamsError> {
        let Header { power, .. } = self.known_header(3)?;
        let bytes = (1u64 << power) * points::G2_RAW as u64;
        self.expect_size(3, size, bytes)?;
        let g2 = self.source.point::<{ points::G2_RAW }, _>(PointName::G2, points::g2_raw)?;
        let s_g2 = self.source.point::<{ points::G2_RAW }, _>(PointName::TauG2, points::g2_raw)?;
        // At least two points: the power is at least 1.
        self.source.skip(bytes - 2 * points::G2_RAW as u64)?;
        Ok((g2, s_g2))
    }

    /// One pass over the file needs the header first, where snarkjs puts it.
    fn known_header(&self, kind: u32) -> Result<Header, ParamsError> {
        self.header.ok_or_else(|| self.source.format(format!("section {kind} before the header")))
    }

    fn expect_size(&self, kind: u32, size: u64, bytes: u64) -> Result<(), ParamsError> {
        if size == bytes {
            return Ok(());
        }
        Err(self.source.format(format!("section {kind} has {size} bytes, expected {bytes}")))
    }
}
