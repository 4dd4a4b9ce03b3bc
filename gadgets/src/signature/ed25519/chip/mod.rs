//! Ed25519 in circuit: many signatures in one sum.
//!
//! The hash is taken in two steps. [`Ed25519Chip`] reads keys and signatures, and returns the words of `R` and `A` that
//! are hashed before the message; `assert_verify_all` takes the words of the digests. Only the scheme's own code may
//! call it: the caller must prove what the digests are of.

#[cfg(test)]
mod tests;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};
use num_bigint::BigUint;
use num_traits::One;

use crate::{
    curve::{
        edwards25519::{
            AssignedEncoding, AssignedRoot, Demands, Edwards25519Equations, RawEncoding, Torsion,
        },
        weierstrass::{chip_of, AssignedPoint, CurveEquations},
    },
    field::foreign::{
        integer::{assert_at_most, constant, element},
        regroup::{element_bits, elements},
    },
    hash::poseidon,
    signature::foreign::{self, ExceptionalCase, KeyPoint, Opened, SchnorrBatch, SignatureBatch},
};
use muster_gates::{
    foreign::{above, AssignedLimbs, Equation, ForeignChip, Operand::Element, Source::Operand},
    Chips, GateContext,
};
use muster_schemes::{curve::edwards25519::CURVE, hash::poseidon::domain};

/// Label of the tag under which a key is hashed to one field element.
const NAME_DOMAIN: &str = "muster.key.ed25519.v1";

/// Which signatures are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Acceptance {
    /// `8·(s·B - R - k·A) = 0`, with all encodings of points (ZIP 215).
    Zip215,
    /// The same with canonical encodings (RFC 8032, section 5.1.7).
    Rfc8032,
    /// `s·B - R - k·A = 0`, with canonical encodings of points in the group of order l, not the identity.
    Strict,
}

impl Acceptance {
    /// What a key must satisfy.
    pub fn of_key(self) -> Demands {
        let torsion = match self {
            Self::Zip215 | Self::Rfc8032 => Torsion::Kept,
            Self::Strict => Torsion::Excluded,
        };
        Demands { canonical: self != Self::Zip215, torsion }
    }

    /// What a nonce point must satisfy.
    pub fn of_nonce(self) -> Demands {
        let torsion = match self {
            Self::Zip215 | Self::Rfc8032 => Torsion::Moved,
            Self::Strict => Torsion::Excluded,
        };
        Demands { torsion, ..self.of_key() }
    }
}

/// All relations of circuits, which their layout must have room for.
pub fn equations() -> Vec<Equation> {
    let mut equations = foreign::equations(CURVE);
    equations.extend(Edwards25519Equations::new().all());
    equations.push(ChallengeEquations::reduce());
    equations
}

/// An unchecked signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawSignature {
    /// R.
    pub nonce: RawEncoding,
    /// s.
    pub s: BigUint,
}

/// A key, checked as the rule asks.
#[derive(Clone, Debug)]
pub struct AssignedKey(AssignedEncoding);

impl AssignedKey {
    /// The name of the key in a leaf: the Poseidon of the high and the low half of its 32 bytes as a
    /// little-endian number, and of three zeros, with a tag of its own in the capacity lane. The zeros
    /// make the permutation the same as for leaves and for nodes with five children.
    pub fn name(&self, ctx: &mut GateContext) -> AssignedValue<Fr> {
        let [high, low] = self.0.halves(ctx).map(QuantumCell::Existing);
        let zero = QuantumCell::Constant(Fr::zero());
        poseidon::hash(ctx.chips, domain(NAME_DOMAIN), &[high, low, zero, zero, zero]).digest
    }
}

impl KeyPoint for AssignedKey {
    fn point(&self) -> &AssignedPoint {
        self.0.point()
    }
}

/// A signature: R is checked as the rule asks, and s is below l. The equation is not checked yet.
#[derive(Clone, Debug)]
pub struct AssignedSignature {
    nonce: AssignedEncoding,
    s: AssignedLimbs,
}

impl AssignedSignature {
    /// What is hashed before the message: R and the key, as little-endian words of 64 bits.
    pub fn prefix(&self, key: &AssignedKey) -> [AssignedValue<Fr>; 8] {
        let [a, b, c, d] = *self.nonce.words();
        let [e, f, g, h] = *key.0.words();
        [a, b, c, d, e, f, g, h]
    }
}

/// Reads keys and signatures by one rule.
#[derive(Clone, Debug)]
pub struct Ed25519Chip {
    rule: Acceptance,
    equations: Edwards25519Equations,
    root: AssignedRoot,
}

impl Ed25519Chip {
    /// A chip for a rule.
    pub fn new(chips: &Chips, rule: Acceptance) -> Self {
        let equations = Edwards25519Equations::new();
        let root = equations.root(chips);
        Self { rule, equations, root }
    }

    /// Witnesses a key.
    pub fn key(&self, ctx: &mut GateContext, raw: &RawEncoding) -> AssignedKey {
        AssignedKey(self.encoding(ctx, raw, self.rule.of_key()))
    }

    /// Witnesses a signature.
    pub fn signature(&self, ctx: &mut GateContext, raw: &RawSignature) -> AssignedSignature {
        let nonce = self.encoding(ctx, &raw.nonce, self.rule.of_nonce());
        let chip = chip_of(ctx.chips, CURVE);
        let s = element(chip, &raw.s);
        assert_at_most(chip, &s, &(CURVE.n() - 1u8));
        AssignedSignature { nonce, s }
    }

    fn encoding(
        &self,
        ctx: &mut GateContext,
        raw: &RawEncoding,
        demands: Demands,
    ) -> AssignedEncoding {
        AssignedEncoding::new(ctx, (&self.equations, &self.root), raw, demands)
    }
}

/// Constrains one signature per key, with the digest of each: `8·(R + k·A - s·B) = 0` for the number `k` of the digest.
/// The words of a digest are little-endian, each below `2^64`, the lowest first. The caller must prove that they are
/// the SHA-512 of the [prefix](AssignedSignature::prefix) and the message.
///
/// # Errors
/// [`ExceptionalCase`]; nobody knows how to make keys for it. The same constraints are recorded, and the witness does not satisfy
/// them.
///
/// # Panics
/// If there are no keys, or a wrong number of signatures or of digests.
pub(crate) fn assert_verify_all(
    ctx: &mut GateContext,
    keys: &[AssignedKey],
    signatures: &[AssignedSignature],
    digests: &[[AssignedValue<Fr>; 8]],
) -> Result<(), ExceptionalCase> {
    open_all(ctx, keys, signatures, digests).assert_all(ctx, keys)
}

fn open_all(
    ctx: &mut GateContext,
    keys: &[AssignedKey],
    signatures: &[AssignedSignature],
    digests: &[[AssignedValue<Fr>; 8]],
) -> SchnorrBatch<AssignedKey> {
    assert!(!keys.is_empty() && keys.len() == signatures.len(), "a signature a key");
    assert_eq!(digests.len(), signatures.len(), "a digest a signature");
    let challenges = ChallengeEquations::new(chip_of(ctx.chips, CURVE));
    let mut open = |(signature, digest): (&AssignedSignature, &[AssignedValue<Fr>; 8])| {
        let AssignedSignature { nonce, s } = signature;
        let challenge = challenges.challenge(ctx, digest);
        Opened { nonce: nonce.point().clone(), s: s.clone(), challenge }
    };
    let opened = signatures.iter().zip(digests).map(&mut open).collect();
    SchnorrBatch::new(CurveEquations::new(CURVE), opened)
}

/// Bits of a word of SHA-512.
const WORD: usize = 64;

/// Reduces digests modulo the order. A digest is `e₀ + 2^b·e₁ + 2^2b·e₂` for elements of whole limbs.
pub(super) struct ChallengeEquations<'a> {
    chip: &'a ForeignChip,
    reduce: Equation,
    /// `2^b` and `2^2b` modulo the order.
    powers: [AssignedLimbs; 2],
}

impl<'a> ChallengeEquations<'a> {
    /// Loads its constants.
    pub(super) fn new(chip: &'a ForeignChip) -> Self {
        let n = CURVE.n();
        let power = |count: usize| {
            let power = (BigUint::one() << (count * element_bits(chip))) % n;
            chip.relate(&constant(n, &power), &[], &power)
        };
        Self { chip, reduce: Self::reduce(), powers: [1, 2].map(power) }
    }

    /// `R = B₃ + B₂·A₀ + B₁·A₁`
    pub(super) fn reduce() -> Equation {
        let value = |[high, middle, low]: [_; 3]| high * Operand(1) + middle * Operand(0) + low;
        Equation::result(CURVE.n(), above(value))
    }

    /// The number of a digest modulo the order, not necessarily the least residue. The words determine its
    /// elements, and with them the number.
    pub(super) fn challenge(
        &self,
        ctx: &mut GateContext,
        digest: &[AssignedValue<Fr>; 8],
    ) -> AssignedLimbs {
        let parts = elements(ctx, self.chip, digest, WORD);
        let [low, middle, high] = &parts[..] else { panic!("a digest takes three elements") };
        let [second, third] = &self.powers;
        let number = low.value() + middle.value() * second.value() + high.value() * third.value();
        let mut cursor = self.chip.below(&[low, middle, high]);
        let operands = [Element(second), Element(third)];
        cursor.relate(&self.reduce, &operands, &(number % CURVE.n()))
    }
}
