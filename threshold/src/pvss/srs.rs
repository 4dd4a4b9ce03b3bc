//! The structured reference string: powers of τ in G1, [τ]₂, and the blinder's ξ in both groups.
//!
//! Anyone who knows τ or ξ can forge range proofs. Anyone may contribute: ξ, and τ if wanted, are
//! multiplied by a fresh secret, with a proof that its maker knew it. One honest contributor to
//! each of them is enough: one that leaves τ alone protects only ξ. No public ceremony has a ξ, so
//! an imported string is insecure until somebody has contributed one.

use ff::Field as _;
use group::{prime::PrimeCurveAffine, Curve};
use rand_core::CryptoRngCore;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{challenge::Challenger, Error};
use crate::{
    bls::random,
    pairing_curve::{
        all_in_g1, decode_g2, decode_on_curve, multiply_g1, multiply_g2, normalize_g1,
        pairings_cancel, scalar, scalar_bytes, sum_g1, FixedBase, Fr, G1Affine, G1Projective,
        G2Affine, G2Projective, Secret, G1_BYTES, G2_BYTES,
    },
};

/// The most powers of a string.
pub const MOST_POWERS: usize = 1 << 22;
const MAGIC: &[u8; 16] = b"muster-pvss-srs1";
/// What comes before the points: the magic bytes, a flag, and the numbers of powers and
/// contributions.
const HEADER: usize = 16 + 1 + 4 + 4;
const CONTRIBUTION_TAG: &[u8] = b"muster-pvss-contribution-v1";
const OUTSIDE: &str = "a point is not in its group";

/// A structured reference string. Its points are in their groups; [`Srs::check`] tells whether they
/// belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Srs {
    powers: Vec<G1Affine>,
    pub(super) tau_g2: G2Affine,
    pub(super) xi_g1: G1Affine,
    pub(super) xi_g2: G2Affine,
    contributions: Vec<Contribution>,
    /// τ was made by somebody who could have kept it. If a string read from bytes says otherwise,
    /// that is only a claim.
    insecure_tau: bool,
}

impl Srs {
    /// A string whose maker knows all secrets, for tests and measurements.
    ///
    /// # Errors
    ///
    /// [`Error::Srs`] for a number of powers that no string can have.
    pub fn insecure(powers: usize, rng: &mut impl CryptoRngCore) -> Result<Self, Error> {
        if !(2..=MOST_POWERS).contains(&powers) {
            return Err(bad("there must be from 2 to 2^22 powers"));
        }
        let (tau, xi) = (Secret::new(Fr::random(&mut *rng)), Fr::random(&mut *rng));
        let scalars = powers_of(&tau, powers);
        let table = FixedBase::new(&G1Affine::generator(), 32);
        let points = scalars.par_chunks(512).flat_map_iter(|scalars| {
            table.multiply(scalars).iter().map(G1Affine::from).collect::<Vec<_>>()
        });
        let (g1, g2) = (G1Projective::from(G1Affine::generator()), G2Affine::generator().into());
        Ok(Self {
            powers: points.collect(),
            tau_g2: multiply_g2(&g2, &tau).to_affine(),
            xi_g1: multiply_g1(&g1, &xi).to_affine(),
            xi_g2: multiply_g2(&g2, &xi).to_affine(),
            contributions: vec![],
            insecure_tau: true,
        })
    }

    /// Takes the powers of τ from the text layout of Ethereum's ceremony: the number of powers in
    /// each group, then Lagrange points (not needed here), powers in G2 and powers in G1, one
    /// hexadecimal point per line. It has no ξ: contribute one.
    ///
    /// # Errors
    ///
    /// [`Error::Srs`].
    pub fn import(text: &str) -> Result<Self, Error> {
        let mut lines = text.split_ascii_whitespace();
        let mut number = || {
            let number = lines.next().and_then(|line| line.parse::<usize>().ok());
            number.filter(|n| (2..=MOST_POWERS).contains(n)).ok_or(bad("a count is missing"))
        };
        let (powers, powers_g2) = (number()?, number()?);
        let points: Vec<&str> = lines.collect();
        if points.len() != 2 * powers + powers_g2 {
            return Err(bad("the number of points differs from its counts"));
        }
        let (in_g2, in_g1) = points[powers..].split_at(powers_g2);
        let powers: Vec<G1Affine> =
            in_g1.par_iter().map(|line| g1(&unhex(line)?)).collect::<Result<_, _>>()?;
        Ok(Self {
            powers,
            tau_g2: g2(&unhex(in_g2[1])?)?,
            xi_g1: G1Affine::generator(),
            xi_g2: G2Affine::generator(),
            contributions: vec![],
            insecure_tau: false,
        })
    }

    /// [τ^i]₁, from i = 0.
    pub fn powers(&self) -> &[G1Affine] {
        &self.powers
    }

    /// What was contributed, in order.
    pub fn contributions(&self) -> &[Contribution] {
        &self.contributions
    }

    /// Whether one person may know τ or ξ: nobody has contributed to it.
    pub fn is_insecure(&self) -> bool {
        let tau = self.contributions.iter().any(Contribution::changes_tau);
        self.contributions.is_empty() || (self.insecure_tau && !tau)
    }

    /// Whether nothing but the string's own word says that nobody knows τ: it was not made here, and nobody has
    /// contributed to τ since.
    pub fn claims_tau(&self) -> bool {
        !self.insecure_tau && !self.contributions.iter().any(Contribution::changes_tau)
    }

    /// SHA-256 of the encoding.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.to_bytes()).into()
    }

    /// The canonical encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(u8::from(self.insecure_tau));
        out.extend((self.powers.len() as u32).to_le_bytes());
        out.extend((self.contributions.len() as u32).to_le_bytes());
        self.powers.iter().for_each(|point| out.extend(point.to_compressed()));
        out.extend(self.xi_g1.to_compressed());
        out.extend(self.tau_g2.to_compressed());
        out.extend(self.xi_g2.to_compressed());
        self.contributions.iter().for_each(|contribution| out.extend(contribution.to_bytes()));
        out
    }

    /// Reads the encoding and checks every point, but not that they belong together.
    ///
    /// # Errors
    ///
    /// [`Error::Srs`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (header, rest) = bytes.split_at_checked(HEADER).ok_or(bad("too short"))?;
        let (magic, header) = header.split_at(MAGIC.len());
        if magic != MAGIC || header[0] > 1 {
            return Err(bad("not a reference string of this version"));
        }
        let number = |at: usize| {
            header[at..at + 4].iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte))
        };
        let (powers, contributions) = (number(1), number(5));
        let points = powers.checked_mul(G1_BYTES).map(|length| length + G1_BYTES + 2 * G2_BYTES);
        let all = contributions.checked_mul(Contribution::BYTES).zip(points);
        let expected = all.and_then(|(a, b)| a.checked_add(b));
        if !(2..=MOST_POWERS).contains(&powers) || expected != Some(rest.len()) {
            return Err(bad("its length is not the one that it states"));
        }
        let (points, rest) = rest.split_at((powers + 1) * G1_BYTES);
        let seed = Sha256::digest(points).into();
        let mut points: Vec<G1Affine> =
            points.par_chunks_exact(G1_BYTES).map(on_curve).collect::<Result<_, _>>()?;
        if !all_in_g1(&points, &seed) {
            return Err(bad(OUTSIDE));
        }
        let xi_g1 = points.pop().ok_or(bad("too short"))?;
        let (tau_g2, rest) = rest.split_at(G2_BYTES);
        let (xi_g2, rest) = rest.split_at(G2_BYTES);
        let contributions = rest.chunks_exact(Contribution::BYTES).map(Contribution::from_bytes);
        Ok(Self {
            powers: points,
            tau_g2: g2(tau_g2)?,
            xi_g1,
            xi_g2: g2(xi_g2)?,
            contributions: contributions.collect::<Result<_, _>>()?,
            insecure_tau: header[0] == 1,
        })
    }

    /// Checks that the points are powers of one τ, that ξ is the same in both groups, and the chain of
    /// contributions.
    ///
    /// # Errors
    ///
    /// [`Error::Srs`].
    pub fn check(&self) -> Result<(), Error> {
        let (one, two) = (G1Affine::generator(), G2Affine::generator());
        if self.powers[0] != one {
            return Err(bad("its first power is not the generator"));
        }
        let mut challenger = Challenger::new(&self.digest());
        let factors = challenger.factors("powers", self.powers.len() - 1);
        let low = sum_g1(&self.powers[..factors.len()], &factors).to_affine();
        let high = sum_g1(&self.powers[1..], &factors).to_affine();
        if !pairings_cancel(&[(high, two), (-low, self.tau_g2)]) {
            return Err(bad("its points are not powers of one secret"));
        }
        if !pairings_cancel(&[(self.xi_g1, two), (-one, self.xi_g2)]) {
            return Err(bad("the blinder differs between the groups"));
        }
        check_chain(&self.contributions, &self.secrets())
    }

    /// ξ and τ in both groups.
    fn secrets(&self) -> Secrets {
        Secrets { xi: (self.xi_g1, self.xi_g2), tau: (self.powers[1], self.tau_g2) }
    }

    /// Multiplies ξ, and τ if requested, by fresh secrets.
    pub fn contribute(&mut self, tau: bool, rng: &mut impl CryptoRngCore) {
        let before = self.secrets();
        let factor = Secret::new(random(rng));
        self.xi_g1 = multiply_g1(&self.xi_g1.into(), &factor).to_affine();
        self.xi_g2 = multiply_g2(&G2Projective::from(self.xi_g2), &factor).to_affine();
        let tau_factor = Secret::new(if tau { random(rng) } else { Fr::ONE });
        if tau {
            let scalars = powers_of(&tau_factor, self.powers.len());
            let terms = self.powers.par_iter().zip(scalars.par_iter());
            let points: Vec<G1Projective> =
                terms.map(|(point, power)| multiply_g1(&point.into(), power)).collect();
            self.powers = normalize_g1(&points);
            self.tau_g2 = multiply_g2(&G2Projective::from(self.tau_g2), &tau_factor).to_affine();
        }
        let made = Contribution::new(&before, &self.secrets(), [&factor, &tau_factor], rng);
        self.contributions.push(made);
    }
}

/// 1, s, s², … of a secret s.
fn powers_of(secret: &Fr, count: usize) -> Secret<Vec<Fr>> {
    // No vector of secrets may grow: it would leave a copy behind.
    let mut powers = Secret::new(Vec::with_capacity(count));
    powers.extend(std::iter::successors(Some(Fr::ONE), |power| Some(*power * secret)).take(count));
    powers
}

fn unhex(line: &str) -> Result<Vec<u8>, Error> {
    let digits = line.strip_prefix("0x").unwrap_or(line);
    hex::decode(digits).map_err(|_| bad("a line is not hexadecimal"))
}

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
        let mut challenger = Challenger::new(&Sha256::digest(CONTRIBUTION_TAG).into());
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
struct Secrets {
    xi: (G1Affine, G2Affine),
    tau: (G1Affine, G2Affine),
}

/// Fresh factors for ξ and, if requested, for τ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    xi: Step,
    tau: Step,
}

impl Contribution {
    const BYTES: usize = 2 * Step::BYTES;

    fn new(
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

    fn to_bytes(&self) -> Vec<u8> {
        [self.xi.to_bytes(), self.tau.to_bytes()].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (xi, tau) = bytes.split_at(Step::BYTES);
        Ok(Self { xi: Step::from_bytes(xi)?, tau: Step::from_bytes(tau)? })
    }
}

/// Checks that every proof verifies, that each contribution starts where the one before ended, and
/// that the last one ends at the string's own points.
fn check_chain(contributions: &[Contribution], end: &Secrets) -> Result<(), Error> {
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

fn bad(reason: &'static str) -> Error {
    Error::Srs { reason }
}

/// A point of the curve other than the identity. The subgroup is checked for all points together.
fn on_curve(bytes: &[u8]) -> Result<G1Affine, Error> {
    let bytes = bytes.try_into().map_err(|_| bad("too short"))?;
    finite(decode_on_curve(bytes).map_err(|_| bad(OUTSIDE))?)
}

fn g1(bytes: &[u8]) -> Result<G1Affine, Error> {
    let point = on_curve(bytes)?;
    bool::from(point.is_torsion_free()).then_some(point).ok_or(bad(OUTSIDE))
}

fn g2(bytes: &[u8]) -> Result<G2Affine, Error> {
    let bytes = bytes.try_into().map_err(|_| bad("too short"))?;
    finite(decode_g2(bytes).map_err(|_| bad(OUTSIDE))?)
}

fn finite<P: PrimeCurveAffine>(point: P) -> Result<P, Error> {
    (!bool::from(point.is_identity())).then_some(point).ok_or(bad("a point is the identity"))
}
