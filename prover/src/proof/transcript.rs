//! The transcripts that a proof may have.

use std::io;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::PrimeField,
        group::GroupEncoding,
        CurveAffine,
    },
    transcript::{EncodedChallenge, Transcript, TranscriptRead},
};
use serde::{Deserialize, Serialize};
use snark_verifier::{
    loader::native::NativeLoader,
    system::halo2::transcript::{evm::EvmTranscript, halo2::PoseidonTranscript},
};

/// The hash for the challenges of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TranscriptKind {
    /// Blake2b-512: the fastest, and halo2's own.
    #[default]
    Blake2b,
    /// Keccak-256, as snark-verifier's contracts compute it.
    Keccak,
    /// Poseidon with snark-verifier's parameters, for verification inside a circuit.
    Poseidon,
}

impl TranscriptKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Blake2b, Self::Keccak, Self::Poseidon];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blake2b => "blake2b",
            Self::Keccak => "keccak",
            Self::Poseidon => "poseidon",
        }
    }
}

/// snark-verifier's transcript for contracts.
pub(crate) type Keccak<S> = EvmTranscript<G1Affine, NativeLoader, S, Vec<u8>>;
/// snark-verifier-sdk's transcript for recursion: width 3, rate 2, 8 full and 57 partial rounds.
pub(crate) type Poseidon<S> = PoseidonTranscript<G1Affine, NativeLoader, S, 3, 2, 8, 57>;

/// A new Poseidon transcript.
pub(crate) fn poseidon<S>(stream: S) -> Poseidon<S> {
    Poseidon::new::<0>(stream)
}

/// How a transcript writes points.
#[derive(Clone, Copy, Debug)]
pub(super) enum PointEncoding {
    /// halo2's 32 bytes.
    Compressed,
    /// Two coordinates of 32 bytes, big-endian; scalars are big-endian too.
    Evm,
}

/// A transcript that writes down again what it reads, as a prover would have written it.
///
/// The decoder of compressed points ignores a flag bit, so that several byte strings stand for one
/// proof; and the verifier does not look at bytes after the proof. Both are refused by comparing
/// what was read with what stands here.
pub(super) struct Echo<T> {
    inner: T,
    encoding: PointEncoding,
    written: Vec<u8>,
}

impl<T> Echo<T> {
    pub(super) fn new(inner: T, encoding: PointEncoding) -> Self {
        Self { inner, encoding, written: vec![] }
    }

    /// What a prover would have written.
    pub(super) fn written(&self) -> &[u8] {
        &self.written
    }

    fn write(&mut self, mut bytes: [u8; 32]) {
        if matches!(self.encoding, PointEncoding::Evm) {
            bytes.reverse();
        }
        self.written.extend(bytes);
    }
}

impl<E: EncodedChallenge<G1Affine>, T: Transcript<G1Affine, E>> Transcript<G1Affine, E>
    for Echo<T>
{
    fn squeeze_challenge(&mut self) -> E {
        self.inner.squeeze_challenge()
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.inner.common_point(point)
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.inner.common_scalar(scalar)
    }
}

impl<E: EncodedChallenge<G1Affine>, T: TranscriptRead<G1Affine, E>> TranscriptRead<G1Affine, E>
    for Echo<T>
{
    fn read_point(&mut self) -> io::Result<G1Affine> {
        let point = self.inner.read_point()?;
        match self.encoding {
            PointEncoding::Compressed => self.written.extend(point.to_bytes().as_ref()),
            PointEncoding::Evm => {
                let coordinates = point.coordinates().into_option();
                let coordinates = coordinates.ok_or(io::ErrorKind::InvalidData)?;
                self.write(coordinates.x().to_repr());
                self.write(coordinates.y().to_repr());
            }
        }
        Ok(point)
    }

    fn read_scalar(&mut self) -> io::Result<Fr> {
        let scalar = self.inner.read_scalar()?;
        self.write(scalar.to_repr());
        Ok(scalar)
    }
}
