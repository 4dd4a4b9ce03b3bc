//! The transcripts that a proof may have.

use std::io;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::PrimeField,
        group::GroupEncoding,
        CurveAffine,
    },
    transcript::{
        Blake2bRead, Blake2bWrite, Challenge255, EncodedChallenge, Transcript, TranscriptRead,
        TranscriptReadBuffer, TranscriptWrite, TranscriptWriterBuffer,
    },
};
use serde::{Deserialize, Serialize};
use snark_verifier::{
    loader::native::NativeLoader,
    system::halo2::transcript::{evm::EvmTranscript, halo2::PoseidonTranscript},
};

/// The hash for the challenges of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

/// A transcript of any kind, as one type: halo2's provers and verifiers are instantiated once, not for each kind.
pub(super) enum AnyTranscript<B, S> {
    /// Blake2b, which reads and writes by types of its own.
    Blake2b(B),
    Keccak(Keccak<S>),
    Poseidon(Box<Poseidon<S>>),
}

/// What writes a proof.
pub(super) type Writer =
    AnyTranscript<Blake2bWrite<Vec<u8>, G1Affine, Challenge255<G1Affine>>, Vec<u8>>;
/// What reads one.
pub(super) type Reader<'a> =
    AnyTranscript<Blake2bRead<&'a [u8], G1Affine, Challenge255<G1Affine>>, &'a [u8]>;

impl Writer {
    pub(super) fn new(kind: TranscriptKind) -> Self {
        match kind {
            TranscriptKind::Blake2b => Self::Blake2b(Blake2bWrite::init(vec![])),
            TranscriptKind::Keccak => Self::Keccak(Keccak::new(vec![])),
            TranscriptKind::Poseidon => Self::Poseidon(Box::new(poseidon(vec![]))),
        }
    }

    /// The proof.
    pub(super) fn finish(self) -> Vec<u8> {
        match self {
            Self::Blake2b(transcript) => transcript.finalize(),
            Self::Keccak(transcript) => transcript.finalize(),
            Self::Poseidon(transcript) => transcript.finalize(),
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(kind: TranscriptKind, proof: &'a [u8]) -> Self {
        match kind {
            TranscriptKind::Blake2b => Self::Blake2b(Blake2bRead::init(proof)),
            TranscriptKind::Keccak => Self::Keccak(Keccak::new(proof)),
            TranscriptKind::Poseidon => Self::Poseidon(Box::new(poseidon(proof))),
        }
    }
}

/// A challenge, whatever transcript it is from.
pub(super) struct Challenge(Fr);

impl EncodedChallenge<G1Affine> for Challenge {
    type Input = Fr;

    fn new(scalar: &Fr) -> Self {
        Self(*scalar)
    }

    fn get_scalar(&self) -> Fr {
        self.0
    }
}

impl<B: Transcript<G1Affine, Challenge255<G1Affine>>, S> Transcript<G1Affine, Challenge>
    for AnyTranscript<B, S>
{
    fn squeeze_challenge(&mut self) -> Challenge {
        Challenge(match self {
            Self::Blake2b(transcript) => transcript.squeeze_challenge().get_scalar(),
            Self::Keccak(transcript) => transcript.squeeze_challenge().get_scalar(),
            Self::Poseidon(transcript) => transcript.squeeze_challenge().get_scalar(),
        })
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        match self {
            Self::Blake2b(transcript) => transcript.common_point(point),
            Self::Keccak(transcript) => transcript.common_point(point),
            Self::Poseidon(transcript) => transcript.common_point(point),
        }
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        match self {
            Self::Blake2b(transcript) => transcript.common_scalar(scalar),
            Self::Keccak(transcript) => transcript.common_scalar(scalar),
            Self::Poseidon(transcript) => transcript.common_scalar(scalar),
        }
    }
}

impl TranscriptWrite<G1Affine, Challenge> for Writer {
    fn write_point(&mut self, point: G1Affine) -> io::Result<()> {
        match self {
            Self::Blake2b(transcript) => transcript.write_point(point),
            Self::Keccak(transcript) => transcript.write_point(point),
            Self::Poseidon(transcript) => transcript.write_point(point),
        }
    }

    fn write_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        match self {
            Self::Blake2b(transcript) => transcript.write_scalar(scalar),
            Self::Keccak(transcript) => transcript.write_scalar(scalar),
            Self::Poseidon(transcript) => transcript.write_scalar(scalar),
        }
    }
}

impl TranscriptRead<G1Affine, Challenge> for Reader<'_> {
    fn read_point(&mut self) -> io::Result<G1Affine> {
        match self {
            Self::Blake2b(transcript) => transcript.read_point(),
            Self::Keccak(transcript) => transcript.read_point(),
            Self::Poseidon(transcript) => transcript.read_point(),
        }
    }

    fn read_scalar(&mut self) -> io::Result<Fr> {
        match self {
            Self::Blake2b(transcript) => transcript.read_scalar(),
            Self::Keccak(transcript) => transcript.read_scalar(),
            Self::Poseidon(transcript) => transcript.read_scalar(),
        }
    }
}

/// A transcript that re-encodes what it reads, as a prover would have written it.
///
/// The decoder of compressed points ignores a flag bit, so that several byte strings stand for one
/// proof; and the verifier does not look at bytes after the proof. Comparing what was read with what
/// is written here refuses both.
pub(super) struct Echo<'a> {
    inner: Reader<'a>,
    written: Vec<u8>,
}

impl<'a> Echo<'a> {
    pub(super) fn new(kind: TranscriptKind, proof: &'a [u8]) -> Self {
        Self { inner: Reader::new(kind, proof), written: vec![] }
    }

    /// What a prover would have written.
    pub(super) fn written(&self) -> &[u8] {
        &self.written
    }

    /// Whether numbers are big-endian, and points two of them; else points are halo2's 32 bytes.
    fn is_for_contracts(&self) -> bool {
        matches!(self.inner, Reader::Keccak(_))
    }

    fn write(&mut self, mut bytes: [u8; 32]) {
        if self.is_for_contracts() {
            bytes.reverse();
        }
        self.written.extend(bytes);
    }
}

impl Transcript<G1Affine, Challenge> for Echo<'_> {
    fn squeeze_challenge(&mut self) -> Challenge {
        self.inner.squeeze_challenge()
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.inner.common_point(point)
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.inner.common_scalar(scalar)
    }
}

impl TranscriptRead<G1Affine, Challenge> for Echo<'_> {
    fn read_point(&mut self) -> io::Result<G1Affine> {
        let point = self.inner.read_point()?;
        if self.is_for_contracts() {
            let coordinates = point.coordinates().into_option();
            let coordinates = coordinates.ok_or(io::ErrorKind::InvalidData)?;
            self.write(coordinates.x().to_repr());
            self.write(coordinates.y().to_repr());
        } else {
            self.written.extend(point.to_bytes().as_ref());
        }
        Ok(point)
    }

    fn read_scalar(&mut self) -> io::Result<Fr> {
        let scalar = self.inner.read_scalar()?;
        self.write(scalar.to_repr());
        Ok(scalar)
    }
}
