//! What differs between the precommits of validators: the time, and the signature.

use rand_core::RngCore;

use super::{error::PrecommitError, wire};
use crate::signature::MemberSignature;

/// Bytes of an Ed25519 signature.
pub const SIGNATURE: usize = 64;
/// Bytes of a signature with its time: seconds follow it in eight bytes, nanoseconds in four, both big-endian.
pub const TIMED_SIGNATURE: usize = SIGNATURE + 8 + 4;
/// Nanoseconds of a second.
pub const SECOND: u32 = 1_000_000_000;

/// When a validator signed, by its own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

/// A signature on a precommit and the time that is signed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimedSignature {
    /// The signature.
    pub signature: [u8; SIGNATURE],
    /// The time.
    pub time: Timestamp,
}

impl Timestamp {
    /// A time: seconds since 1970, any number of them, and nanoseconds after these.
    ///
    /// # Errors
    ///
    /// [`PrecommitError::Nanos`] for a second or more of nanoseconds.
    pub fn new(seconds: i64, nanos: u32) -> Result<Self, PrecommitError> {
        let is_part = nanos < SECOND;
        is_part.then_some(Self { seconds, nanos }).ok_or(PrecommitError::Nanos(nanos))
    }

    /// A random time from 2020 to early 2054.
    pub fn random(rng: &mut impl RngCore) -> Self {
        let seconds = 1_577_836_800 + i64::from(rng.next_u32() >> 2);
        Self { seconds, nanos: rng.next_u32() % SECOND }
    }

    /// Seconds since 1970.
    pub fn seconds(&self) -> i64 {
        self.seconds
    }

    /// Nanoseconds after these.
    pub fn nanos(&self) -> u32 {
        self.nanos
    }

    /// `google.protobuf.Timestamp`, in which a negative number has ten bytes.
    pub(super) fn encoded(&self) -> Vec<u8> {
        let seconds = wire::number(wire::SECONDS, self.seconds as u64);
        [seconds, wire::number(wire::NANOS, self.nanos.into())].concat()
    }
}

impl MemberSignature for TimedSignature {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }
}

impl TimedSignature {
    /// The bytes of a signature in a file: the signature, then seconds and nanoseconds, big-endian.
    pub fn to_bytes(&self) -> [u8; TIMED_SIGNATURE] {
        let Timestamp { seconds, nanos } = self.time;
        let bytes = [&self.signature[..], &seconds.to_be_bytes(), &nanos.to_be_bytes()].concat();
        bytes.try_into().expect("the parts of a signature have their lengths")
    }

    /// Reads [`Self::to_bytes`].
    ///
    /// # Errors
    ///
    /// [`PrecommitError::Length`] and [`PrecommitError::Nanos`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PrecommitError> {
        let wrong = PrecommitError::Length { expected: TIMED_SIGNATURE, found: bytes.len() };
        let mut rest: &[u8] = <&[u8; TIMED_SIGNATURE]>::try_from(bytes).map_err(|_| wrong)?;
        let signature = wire::take(&mut rest);
        let seconds = i64::from_be_bytes(wire::take(&mut rest));
        let nanos = u32::from_be_bytes(wire::take(&mut rest));
        Ok(Self { signature, time: Timestamp::new(seconds, nanos)? })
    }
}
