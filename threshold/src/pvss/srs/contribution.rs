//! A link in the chain of contributions.

use ff::Field as _;
use group::{prime::PrimeCurveAffine, Curve};
use rand_core::CryptoRngCore;
use sha2::{Digest, Sha256};

use super::{bad, g1, g2};
use crate::{
    pairing_curve::{
        multiply_g1, pairings_cancel, scalar, scalar_bytes, Fr, G1Affine, G2Affine, Secret,
        G1_BYTES, G2_BYTES,
    },
    pvss::{challenge::Challenger, Error},
};

const TAG: &[u8] = b"muster-pvss-contribution-v1";

/// One multiplication of a secret: the secret before it, the secret after it in both groups, and a
/// Schnorr proof of the factor, to the base of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    before: G1Affine,
    after: G1Affine,
    after_g2: G2Affine,
    nonce: G1Affine,
    response: Fr,
}

impl Step {
    const BYTES: usize = 3 * G1_BYTES + G2_BYTES + 32;

    fn new(
        before: G1Affine,
        (after, after_g2): (G1Affine, G2Affine),
        factor: &Fr,
        rng: &mut impl CryptoRngCore,
    ) -> Self {
        let secret = Secret::new(Fr::random(rng));
        let nonce = multiply_g1(&before.into(), &secret).to_affine();
        let mut made = Self { before, after, after_g2, nonce, response: Fr::ZERO };
        made.response = *secret + made.challenge() * factor;
        made
    }

    fn challenge(&self) -> Fr {
        let mut challenger = Challenger::new(&Sha256::digest(TAG).into());
        challenger.absorb("before", &self.before.to_compressed());
        challenger.absorb("after", &self.after.to_compressed());
        challenger.absorb("after, in the second group", &self.after_g2.to_compressed());
        challenger.absorb("nonce", &self.nonce.to_compressed());
        challenger.scalar("challenge")
    }

    fn holds(&self) -> bool {
        let left = multiply_g1(&self.before.into(), &self.response);
        let right = multiply_g1(&self.after.into(), &self.challenge()) + self.nonce;
        let same = [(self.after, G2Affine::generator()), (-G1Affine::generator(), self.after_g2)];
        left == right && pairings_cancel(&same)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![];
        [self.before, self.after, self.nonce].iter().for_each(|p| out.extend(p.to_compressed()));
        out.extend(self.after_g2.to_compressed());
        out.extend(scalar_bytes(&self.response));
        out
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let at = |place: usize| g1(&bytes[place * G1_BYTES..(place + 1) * G1_BYTES]);
        let rest = &bytes[3 * G1_BYTES..];
        let response = rest[G2_BYTES..].try_into().ok().and_then(scalar);
        Ok(Self {
            before: at(0)?,
            after: at(1)?,
            nonce: at(2)?,
            after_g2: g2(&rest[..G2_BYTES])?,
            response: response.ok_or(bad("a response is not below the order"))?,
        })
    }
}

/// ξ and τ as a string has them, in both groups.
pub(super) struct Secrets {
    pub(super) xi: (G1Affine, G2Affine),
    pub(super) tau: (G1Affine, G2Affine),
}

/// Fresh factors for ξ and, if requested, for τ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    xi: Step,
    tau: Step,
}

impl Contribution {
    pub(super) const BYTES: usize = 2 * Step::BYTES;

    pub(super) fn new(
        before: &Secrets,
        after: &Secrets,
        [xi, tau]: [&Fr; 2],
        rng: &mut impl CryptoRngCore,
    ) -> Self {
        Self {
            xi: Step::new(before.xi.0, after.xi, xi, rng),
            tau: Step::new(before.tau.0, after.tau, tau, rng),
        }
    }

    /// Whether τ was multiplied as well.
    pub fn changes_tau(&self) -> bool {
        self.tau.before != self.tau.after
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        [self.xi.to_bytes(), self.tau.to_bytes()].concat()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (xi, tau) = bytes.split_at(Step::BYTES);
        Ok(Self { xi: Step::from_bytes(xi)?, tau: Step::from_bytes(tau)? })
    }
}

/// Checks that every proof verifies, that each contribution starts where the one before ended, and
/// that the last one ends at the string's own points.
pub(super) fn check_chain(contributions: &[Contribution], end: &Secrets) -> Result<(), Error> {
    for pair in contributions.windows(2) {
        if pair[0].xi.after != pair[1].xi.before || pair[0].tau.after != pair[1].tau.before {
            return Err(bad("a contribution does not follow the one before"));
        }
    }
    if let Some(last) = contributions.last()
        && (last.xi.after != end.xi.0 || last.tau.after != end.tau.0)
    {
        return Err(bad("the last contribution is not that of its points"));
    }
    let all_hold = contributions.iter().all(|made| made.xi.holds() && made.tau.holds());
    all_hold.then_some(()).ok_or(bad("a contribution's proof is bad"))
}
