//! ECDSA over secp256k1 and P-256 (FIPS 186-5, section 6) in circuit: many signatures in one sum.

#[cfg(test)]
#[path = "../../../../schemes/src/signature/ecdsa/tests/vectors.rs"]
pub(crate) mod vectors;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use rand_core::{CryptoRng, RngCore};

use crate::{
    curve::weierstrass::{chip_of, AssignedPoint, CurveEquations},
    field::foreign::integer::{assert_at_most, element, Canonical},
    hash::keccak,
    signature::{
        foreign::{
            assign_keys, equations, from_halves, integers, AssignedKey, AssignedNonce, Coefficient,
            ExceptionalCase, Multiples, RawKey, RawSignature, ScalarEquations, Scalars,
            SignatureBatch,
        },
        instructions::{
            each, AssignedClaim, AssignedSigner, NativeInstructions, Needs, Padding,
            PaddingInstructions, Refusal, SignatureInstructions, Verified,
        },
    },
};
use muster_gates::{
    foreign::{AssignedLimbs, Operand::Element},
    Chips, GateContext,
};
use muster_schemes::signature::ecdsa::{
    decode_recoverable, Ecdsa, RecoveryId, SecretKey, Signature, Suite,
};
use muster_schemes::{
    curve::weierstrass::{Address, Curve, Point},
    membership::{EmptyPlace, PublicKey},
    signature::{AnySignature, Choices, KeyKind, Rule, SignatureError, SignatureScheme},
};

/// The key that a member signs with: its own, or the one recovered from the signature if the set
/// holds only its address.
fn signing_key<C: Suite>(
    signer: usize,
    key: &PublicKey,
    message: &[u8; 32],
    signature: &AnySignature,
) -> Result<(Point, Signature), Refusal> {
    if let Some(key) = key.of::<Point>() {
        let signature = signature.of::<Signature>().ok_or(Refusal::WrongKind)?;
        return Ok((*key, *signature));
    }
    let expected = *key.of::<Address>().ok_or(Refusal::WrongKind)?;
    let recoverable = signature.of::<(Signature, RecoveryId)>();
    let (signature, id) = *recoverable.ok_or(Refusal::WrongKind)?;
    let key = Ecdsa::<C>::recover(message, &signature, id)
        .map_err(|rule| Refusal::Signature { signer, rule })?;
    let found = key.address();
    if found != expected {
        return Err(Refusal::Address { signer, expected, found });
    }
    Ok((key, signature))
}

/// The signature whose s is low.
fn low((signature, id): (Signature, RecoveryId)) -> (Signature, RecoveryId) {
    if signature.is_high() {
        (signature.negate(), id.negate())
    } else {
        (signature, id)
    }
}

fn raw(signature: &Signature, nonce: &Point) -> RawSignature {
    RawSignature { nonce: integers(nonce), s: BigUint::from_bytes_be(&signature.s()) }
}

impl<C: Suite> NativeInstructions for Ecdsa<C> {
    type RawKey = RawKey;
    type RawSignature = RawSignature;

    fn with(choices: Choices) -> Self {
        Self::new(choices)
    }

    fn admits(&self, key: &PublicKey) -> Result<(), SignatureError> {
        match self.choices().keys() {
            KeyKind::Coordinates => {
                let point = key.of::<Point>().ok_or(SignatureError::OtherKey)?;
                point.on(C::CURVE).map(drop).map_err(SignatureError::Key)
            }
            KeyKind::Address => {
                let is_empty = |place: &EmptyPlace| place.kind().keys() == KeyKind::Address;
                let is_held = key.of::<Address>().is_some() || key.of().is_some_and(is_empty);
                is_held.then_some(()).ok_or(SignatureError::OtherKey)
            }
        }
    }

    fn member(&self, key: &Point) -> PublicKey {
        match self.choices().keys() {
            KeyKind::Coordinates => (*key).into(),
            KeyKind::Address => key.address().into(),
        }
    }

    fn encode_member(&self, key: &PublicKey) -> Option<Vec<u8>> {
        let point = key.of::<Point>().filter(|point| point.curve() == C::CURVE)?;
        Some(Self::encode_public_key(point))
    }

    fn decode_member_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError> {
        match self.choices().keys() {
            KeyKind::Coordinates => Self::decode_signature(bytes).map(AnySignature::from),
            KeyKind::Address => decode_recoverable(C::CURVE, bytes).map(AnySignature::from),
        }
    }

    /// With a low s, so that either rule takes it.
    fn sign_as_member(
        &self,
        secret_key: &SecretKey<C>,
        message: &[u8; 32],
        _: &mut (impl RngCore + CryptoRng),
    ) -> AnySignature {
        let (signature, id) = low(Self::sign_recoverable(secret_key, message));
        match self.choices().keys() {
            KeyKind::Coordinates => signature.into(),
            KeyKind::Address => (signature, id).into(),
        }
    }

    fn verify_all(
        &self,
        _: &Fr,
        signers: &[PublicKey],
        message: &[u8; 32],
        signatures: &[AnySignature],
    ) -> Result<Verified<Self>, Refusal> {
        each(self, signers, signatures, |signer, key, signature| {
            let (key, signature) = signing_key::<C>(signer, key, message, signature)?;
            let nonce = Self::accepted_nonce(self.rule(), &key, message, &signature)
                .map_err(|rule| Refusal::Signature { signer, rule })?;
            Ok((integers(&key), raw(&signature, &nonce)))
        })
    }
}

impl<C: Suite> PaddingInstructions for Ecdsa<C> {
    /// The signer with the secret key `number + 1`, whose signature every rule on s accepts.
    fn padding(&self, message: &[u8; 32], number: u8) -> Option<Padding<Self>> {
        let mut bytes = [0; 32];
        bytes[31] = number.checked_add(1)?;
        let secret = SecretKey::<C>::from_bytes(&bytes);
        let secret = secret.expect("a small number that is not 0 is a secret key of every curve");
        let (key, (signature, _)) =
            (secret.public_key(), low(Self::sign_recoverable(&secret, message)));
        let nonce = Self::accepted_nonce(Rule::LowS, &key, message, &signature);
        let signature = raw(&signature, &nonce.expect("the signature is good"));
        let leaf_key = vec![self.member(&key).name()];
        Some(Padding { key: integers(&key), leaf_key, signature })
    }

    /// `(r, n - s)`, whose nonce point is the negated one.
    fn other_form(&self, signature: &RawSignature) -> Option<RawSignature> {
        let (x, y) = &signature.nonce;
        let nonce = (x.clone(), C::CURVE.p() - y);
        let other = RawSignature { nonce, s: C::CURVE.n() - &signature.s };
        (self.rule() == Rule::AnyS).then_some(other)
    }
}

impl<C: Suite> SignatureInstructions for Ecdsa<C> {
    type AssignedKey = AssignedKey;
    type AssignedMessage = [AssignedValue<Fr>; 2];

    fn needs(&self) -> Needs {
        let keccak = self.choices().keys() == KeyKind::Address;
        Needs { equations: equations(C::CURVE), keccak, ..Needs::default() }
    }

    fn assign_message(
        &self,
        _: &mut GateContext,
        public: &[AssignedValue<Fr>],
        _: &[u8; 32],
    ) -> [AssignedValue<Fr>; 2] {
        public.try_into().expect("a digest takes two public inputs")
    }

    fn assign_keys(&self, ctx: &mut GateContext, keys: &[RawKey]) -> Vec<AssignedKey> {
        assign_keys(ctx, C::CURVE, keys)
    }

    fn name(&self, ctx: &mut GateContext, key: &AssignedKey) -> AssignedValue<Fr> {
        match self.choices().keys() {
            KeyKind::Coordinates => key.name(ctx.chips),
            KeyKind::Address => {
                let [x, y] = *key.halves();
                keccak::address(ctx, x, y)
            }
        }
    }

    fn assert_verify_all(
        &self,
        ctx: &mut GateContext,
        claim: &AssignedClaim<[AssignedValue<Fr>; 2]>,
        signers: &[AssignedSigner<AssignedKey>],
        signatures: &[RawSignature],
    ) -> Result<(), ExceptionalCase> {
        let keys: Vec<_> = signers.iter().map(|signer| signer.public_key.clone()).collect();
        assert_verify_all(ctx, (C::CURVE, self.rule()), claim.message, &keys, signatures)
    }
}

/// Constrains one signature per key on a digest, given as its high and its low half.
///
/// `R = (e/s)·G + (r/s)·A` with `r` the first coordinate of `R`. With `w = -z/s` for a coefficient
/// `z`, the batch is `Σ zᵢ·Rᵢ + Σ wᵢ·rᵢ·Aᵢ + (e·Σ wᵢ)·G = 0`.
///
/// # Errors
/// [`ExceptionalCase`], if the keys were made for it. The same constraints are recorded, and the witness does not
/// satisfy them.
///
/// # Panics
/// If there are no keys, or a wrong number of signatures.
pub fn assert_verify_all(
    ctx: &mut GateContext,
    (curve, rule): (Curve, Rule),
    digest: [AssignedValue<Fr>; 2],
    keys: &[AssignedKey],
    signatures: &[RawSignature],
) -> Result<(), ExceptionalCase> {
    assert!(!keys.is_empty() && keys.len() == signatures.len(), "a signature a key");
    Batch::open(ctx, (curve, rule), digest, signatures).assert_all(ctx, keys)
}

/// A signature in circuit before the batch is formed.
struct Opened {
    nonce: AssignedNonce,
    s: AssignedLimbs,
}

/// The digest and the signatures.
pub(crate) struct Batch {
    equations: CurveEquations,
    scalars: ScalarEquations,
    e: AssignedLimbs,
    opened: Vec<Opened>,
}

/// The scalars as a prover has them.
#[derive(Clone)]
pub(crate) struct Hints {
    /// `wᵢ`
    pub(crate) weights: Vec<BigUint>,
    /// `wᵢ·rᵢ`, by which the keys are multiplied.
    pub(crate) keys: Vec<BigUint>,
    /// `w₁ + … + wᵢ`
    pub(crate) sums: Vec<BigUint>,
    /// `e·Σ wᵢ`, by which the generator is multiplied.
    pub(crate) generator: BigUint,
}

impl Scalars for Hints {
    fn of_keys(&self) -> &[BigUint] {
        &self.keys
    }

    fn of_generator(&self) -> &BigUint {
        &self.generator
    }
}

impl Batch {
    pub(crate) fn open(
        ctx: &mut GateContext,
        (curve, rule): (Curve, Rule),
        digest: [AssignedValue<Fr>; 2],
        signatures: &[RawSignature],
    ) -> Self {
        let (equations, scalars) = (CurveEquations::new(curve), ScalarEquations::new(curve));
        let e = from_halves(ctx, digest);
        let open = |signature: &RawSignature| {
            let nonce = AssignedNonce::new(ctx.chips, &equations, &signature.nonce);
            open(ctx.chips, (&equations, &scalars), rule, nonce, &signature.s)
        };
        let opened = signatures.iter().map(open).collect();
        Self { equations, scalars, e, opened }
    }

    /// `-z/s`
    fn quotient(&self, z: BigInt, s: &AssignedLimbs) -> BigUint {
        let n = self.equations.curve().n();
        let inverse = (s.value() % n).modinv(n).unwrap_or_default();
        self.scalars.residue(&(-z * BigInt::from(inverse)))
    }
}

impl SignatureBatch for Batch {
    type Hints = Hints;
    type Key = AssignedKey;

    fn equations(&self) -> (&CurveEquations, &ScalarEquations) {
        (&self.equations, &self.scalars)
    }

    fn nonces(&self) -> Vec<&AssignedPoint> {
        self.opened.iter().map(|opened| opened.nonce.point()).collect()
    }

    fn ratios(&self) -> Vec<BigUint> {
        let ratio = |Opened { nonce, s }: &Opened| {
            self.quotient(BigInt::one(), s) * nonce.x().limbs().value() % self.equations.curve().n()
        };
        self.opened.iter().map(ratio).collect()
    }

    fn batched<'a>(&'a self, keys: &'a [AssignedKey]) -> Vec<&'a AssignedLimbs> {
        let mut batched = vec![&self.e];
        for (key, Opened { nonce, s }) in keys.iter().zip(&self.opened) {
            let key = key.coordinates().iter().map(Canonical::limbs);
            batched.extend(key.chain(nonce.coordinates()).chain([s]));
        }
        batched
    }

    fn hints(&self, coefficients: &[Coefficient]) -> Hints {
        let n = self.equations.curve().n();
        let pairs = coefficients.iter().zip(&self.opened);
        let weights: Vec<_> =
            pairs.map(|(z, Opened { s, .. })| self.quotient(z.value(), s)).collect();
        let product = |(w, opened): (&BigUint, &Opened)| w * opened.nonce.x().limbs().value() % n;
        let keys = weights.iter().zip(&self.opened).map(product).collect();
        let mut sum = BigUint::ZERO;
        let mut add = |w: &BigUint| {
            sum = (&sum + w) % n;
            sum.clone()
        };
        let sums = weights.iter().map(&mut add).collect();
        let generator = sum * self.e.value() % n;
        Hints { weights, keys, sums, generator }
    }

    fn bind(&self, chips: &Chips, multiples: &Multiples, hints: &Hints) {
        let (chip, scalars) = (chip_of(chips, self.equations.curve()), &self.scalars);
        let found = multiples.nonces.iter().zip(&multiples.keys);
        let hinted = hints.weights.iter().zip(&hints.keys);
        let mut weights = vec![];
        for ((opened, (z, parts)), (w, scalar)) in self.opened.iter().zip(found).zip(hinted) {
            let r = opened.nonce.x().limbs();
            let w = chip.relate(&scalars.negated_quotient, &[z.operand(), Element(&opened.s)], w);
            let operands = [Element(r), Element(r)];
            let scalar = chip.below(&[&w]).relate(&scalars.product_of_result, &operands, scalar);
            scalars.assert_parts(chip, &scalar, parts);
            weights.push(w);
        }
        let sum = scalars.sum_all(chip, &weights, &hints.sums);
        let operands = [Element(&self.e), Element(&sum)];
        let generator = chip.relate(&scalars.product, &operands, &hints.generator);
        scalars.assert_parts(chip, &generator, &multiples.generator);
    }
}

/// `R` on the curve, `r` neither 0 nor a multiple of the order, and `s` below the order or, for low
/// `s`, at most half of it. That `s` is not 0 follows, since `w·s` is not.
fn open(
    chips: &Chips,
    (equations, scalars): (&CurveEquations, &ScalarEquations),
    rule: Rule,
    nonce: AssignedNonce,
    s: &BigUint,
) -> Opened {
    let (chip, n) = (chip_of(chips, equations.curve()), equations.curve().n());
    scalars.assert_not_zero(chip, nonce.x().limbs());
    let s = element(chip, s);
    let bound = if rule == Rule::AnyS { n - 1u8 } else { n >> 1u8 };
    assert_at_most(chip, &s, &bound);
    Opened { nonce, s }
}
