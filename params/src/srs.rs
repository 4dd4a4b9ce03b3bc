//! An SRS that knows its origin.

use std::io::{self, BufWriter, Write};

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine},
        ff::Field,
        serde::SerdeObject,
    },
    poly::{
        commitment::{Params, ParamsProver},
        kzg::commitment::ParamsKZG,
    },
    SerdeFormat,
};
use rand::rngs::OsRng;
use sha2::{Digest, Sha256};

use crate::{
    degree::check_degree,
    error::{ParamsError, FURTHER},
    origin::Origin,
    parts::{Assembled, Parts},
    points::G1_RAW,
};

/// To be printed wherever an insecure SRS is made or used.
pub const INSECURE_WARNING: &str =
    "INSECURE SRS: it was made on one machine from local randomness, \
not by a ceremony. Whoever ran that machine may know tau and can forge any proof. \
Use it for tests and measurements only.";

/// To be printed wherever [`Origin::is_claimed`].
pub const CLAIMED_WARNING: &str =
    "the SRS is from a file of muster's own, which only claims that a ceremony made it. \
Import the ceremony's file instead, or compare the digest with one that you trust.";

/// A checked SRS of `2^k` powers on BN254, with its origin.
///
/// There is no constructor from bare parameters: an `Srs` was made here, imported with all checks,
/// or read back from a store whose digest was verified.
#[derive(Clone, Debug)]
pub struct Srs {
    params: ParamsKZG<Bn256>,
    further: Vec<G1Affine>,
    origin: Origin,
    digest: [u8; 32],
}

impl Srs {
    /// Makes an SRS from the operating system's randomness, never from a seed. It is insecure for
    /// anything but tests and measurements: print [`INSECURE_WARNING`].
    ///
    /// # Errors
    /// [`ParamsError::Degree`] unless `1 ≤ k ≤` [`crate::MAX_K`].
    pub fn insecure(k: u32) -> Result<Self, ParamsError> {
        check_degree(k)?;
        Ok(Self::new(Parts::of_secret(k, Fr::random(OsRng)).assembled(), Origin::Insecure))
    }

    /// Wraps points that are known to be a valid SRS.
    pub(crate) fn new(points: Assembled, origin: Origin) -> Self {
        let digest = body_digest(&points.params);
        Self::with_digest(points, origin, digest)
    }

    /// The same with a known digest.
    pub(crate) fn with_digest(points: Assembled, origin: Origin, digest: [u8; 32]) -> Self {
        let Assembled { params, further } = points;
        Self { params, further, origin, digest }
    }

    /// The same SRS with the powers that follow its own, known to be of the same τ.
    pub(crate) fn with_further(self, further: Vec<G1Affine>) -> Self {
        Self { further, ..self }
    }

    /// The parameters, as halo2's prover and verifier take them.
    pub fn params(&self) -> &ParamsKZG<Bn256> {
        &self.params
    }

    /// The powers that follow those of [`params`](Self::params): `[τ^n]₁, …, [τ^(n+3)]₁` for `n = 2^k`, [`FURTHER`] in all.
    /// With them polynomials of degree up to n + 3 can be committed to.
    ///
    /// Empty if the source had fewer than n + 4 powers, as a halo2 RawBytes file has at its own k. Such an SRS is good for
    /// everything else; [`Self::require_further`] says how to get one with further powers.
    pub fn further_powers(&self) -> &[G1Affine] {
        &self.further
    }

    /// The [further powers](Self::further_powers), for a prover that cannot do without.
    ///
    /// # Errors
    /// [`ParamsError::NoFurtherPowers`], which names a command that gets them.
    pub fn require_further(&self) -> Result<&[G1Affine], ParamsError> {
        if self.further.is_empty() {
            return Err(ParamsError::NoFurtherPowers { k: self.k(), insecure: self.is_insecure() });
        }
        Ok(&self.further)
    }

    /// The Lagrange points `[L_j(τ)]₁` of the `2^k` rows, which commit to columns by their values. halo2's parameters show them only in the
    /// layout of [`Self::write_raw`].
    pub fn lagrange(&self) -> Vec<G1Affine> {
        let length = G1_RAW << self.k();
        let mut part = Part { skip: 4 + length, bytes: Vec::with_capacity(length) };
        self.params
            .write_custom(&mut part, SerdeFormat::RawBytesUnchecked)
            .expect("writing to memory does not fail");
        // The bytes come from points in memory, so there is nothing to check.
        part.bytes.chunks_exact(G1_RAW).map(G1Affine::from_raw_bytes_unchecked).collect()
    }

    /// log₂ of the number of G1 powers, which is the number of rows of the largest circuit.
    pub fn k(&self) -> u32 {
        self.params.k()
    }

    /// Where the SRS comes from. A smaller SRS cut from a larger one keeps its origin.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// SHA-256 of the SRS in halo2's RawBytes layout: k, all powers, all Lagrange points, g2 and
    /// τ·g2. It depends only on these points, not on whether there are
    /// [further powers](Self::further_powers), and not on the file or the format they came from; for
    /// an untruncated RawBytes file it is the SHA-256 of that file.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Whether somebody may know τ because no ceremony made this SRS. If not, the [origin](Self::origin) says which
    /// file to compare with what the ceremony published: no file can show by itself that a ceremony made it.
    pub fn is_insecure(&self) -> bool {
        self.origin == Origin::Insecure
    }

    /// Passes on a ceremony's SRS and refuses an insecure one.
    ///
    /// # Errors
    /// [`ParamsError::Insecure`].
    pub fn require_ceremony(self) -> Result<Self, ParamsError> {
        if self.is_insecure() {
            return Err(ParamsError::Insecure { k: self.k() });
        }
        Ok(self)
    }

    /// The first `2^k` powers as an SRS of their own, with the powers that follow in this one. The
    /// Lagrange points are computed again, which takes a while for large k.
    ///
    /// # Errors
    /// [`ParamsError::Degree`] when k is 0 or larger than this SRS.
    pub fn downsized(self, k: u32) -> Result<Self, ParamsError> {
        check_degree(k)?;
        if k > self.k() {
            return Err(ParamsError::Degree { k });
        }
        if k == self.k() {
            return Ok(self);
        }
        let (g2, s_g2) = (self.params.g2(), self.params.s_g2());
        let (g, rest) = self.params.get_g().split_at(1 << k);
        let further = rest.iter().chain(&self.further).take(FURTHER).copied().collect();
        let g = g.to_vec();
        let cut = Parts { k, g, further, g_lagrange: None, g2, s_g2 };
        Ok(Self::new(cut.assembled(), self.origin))
    }

    /// Writes the SRS in halo2's RawBytes layout, which any halo2 tool reads: u32 little-endian k,
    /// `2^k` G1 powers, `2^k` G1 Lagrange points, g2, τ·g2, coordinates little-endian in Montgomery
    /// form, `4 + 128·2^k + 256` bytes. The layout has no place for further powers.
    ///
    /// # Errors
    /// Those of `writer`.
    pub fn write_raw<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        self.params.write_custom(writer, SerdeFormat::RawBytes)
    }

    /// Writes the same, and behind it the [further powers](Self::further_powers), if there are any, as the layout has powers.
    ///
    /// # Errors
    /// Those of `writer`.
    pub fn write_raw_and_further<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        self.write_raw(writer)?;
        writer.write_all(&self.further_bytes())
    }

    /// The further powers as the layout has powers.
    pub(crate) fn further_bytes(&self) -> Vec<u8> {
        self.further.iter().flat_map(SerdeObject::to_raw_bytes).collect()
    }
}

/// Keeps a part of what is written: skips the first `skip` bytes, then keeps as many as there is room for.
struct Part {
    skip: usize,
    bytes: Vec<u8>,
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        let room = self.bytes.capacity() - self.bytes.len();
        self.bytes.extend(bytes[skipped..].iter().take(room));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn body_digest(params: &ParamsKZG<Bn256>) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut writer = BufWriter::with_capacity(1 << 16, &mut hash);
    let written = params.write_custom(&mut writer, SerdeFormat::RawBytes);
    let flushed = writer.flush();
    // A hash in memory accepts every write.
    debug_assert!(written.is_ok() && flushed.is_ok());
    drop(writer);
    hash.finalize().into()
}
