//! Signatures on secp256k1, the only curve halo2-ecc verifies signatures on: its field is foreign to
//! BN254, so each product is done in three limbs.
//!
//! ECDSA is the library's own function. Schnorr (BIP-340 without the tagged hash) is assembled here
//! from the library's scalar multiplications, because the published crate has no Schnorr gadget.

use halo2_base::gates::circuit::builder::BaseCircuitBuilder;
use halo2_base::gates::{GateInstructions, RangeChip, RangeInstructions};
use halo2_base::halo2_proofs::arithmetic::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use halo2_base::halo2_proofs::halo2curves::group::Curve;
use halo2_base::halo2_proofs::halo2curves::secp256k1::{Fp, Fq, Secp256k1Affine};
use halo2_base::utils::{biguint_to_fe, fe_to_biguint};
use halo2_base::{AssignedValue, Context};
use halo2_ecc::ecc::ecdsa::ecdsa_verify_no_pubkey_check;
use halo2_ecc::ecc::{fixed_base, scalar_multiply, EccChip};
use halo2_ecc::fields::FieldChip;
use halo2_ecc::secp256k1::{FpChip, FqChip};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::Statement;
use crate::sample::SEED;

/// Limbs of the foreign field, as in the library's own benches.
const LIMB_BITS: usize = 88;
const LIMBS: usize = 3;
/// Window of both scalar multiplications, as in the library's own benches.
const WINDOW_BITS: usize = 4;

/// The chips over the two fields of secp256k1.
struct Chips<'r> {
    base: FpChip<'r, Fr>,
    scalar: FqChip<'r, Fr>,
}

impl<'r> Chips<'r> {
    fn new(range: &'r RangeChip<Fr>) -> Self {
        Self {
            base: FpChip::new(range, LIMB_BITS, LIMBS),
            scalar: FqChip::new(range, LIMB_BITS, LIMBS),
        }
    }
}

/// A key pair's public half and a nonce, fresh for each signature.
struct Signer {
    secret: Fq,
    public_key: Secp256k1Affine,
    nonce: Fq,
    nonce_point: Secp256k1Affine,
}

impl Signer {
    fn random(rng: &mut ChaCha20Rng) -> Self {
        let [secret, nonce] = [(); 2].map(|()| Fq::random(&mut *rng));
        let [public_key, nonce_point] =
            [secret, nonce].map(|scalar| (Secp256k1Affine::generator() * scalar).to_affine());
        Self { secret, public_key, nonce, nonce_point }
    }
}

/// `signatures` ECDSA signatures; public: each key and the digest.
pub(crate) struct EcdsaSecp256k1 {
    digest: Fq,
    signatures: Vec<(Secp256k1Affine, Fq, Fq)>,
}

impl EcdsaSecp256k1 {
    /// Fresh keys that all sign one digest.
    pub(crate) fn sample(signatures: usize) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let digest = Fq::random(&mut rng);
        let sign = |signer: Signer| {
            let r: Fq = biguint_to_fe(&fe_to_biguint(&signer.nonce_point.x));
            let inverse = signer.nonce.invert().unwrap_or(Fq::ZERO);
            (signer.public_key, r, inverse * (digest + r * signer.secret))
        };
        let signatures = (0..signatures).map(|_| sign(Signer::random(&mut rng))).collect();
        Self { digest, signatures }
    }
}

impl Statement for EcdsaSecp256k1 {
    fn fill(&self, builder: &mut BaseCircuitBuilder<Fr>) {
        let range = builder.range_chip();
        let chips = Chips::new(&range);
        let curve = EccChip::new(&chips.base);
        let ctx = builder.main(0);
        let mut public = Vec::new();

        let digest = chips.scalar.load_private(ctx, self.digest);
        public.extend_from_slice(digest.limbs());
        for (key, r, s) in &self.signatures {
            // The verifier sees the key and checks that it is on the curve.
            let key = curve.load_private_unchecked(ctx, (key.x, key.y));
            public.extend_from_slice(key.x().limbs());
            public.extend_from_slice(key.y().limbs());
            let [r, s] = [*r, *s].map(|scalar| chips.scalar.load_private(ctx, scalar));
            let accepted = ecdsa_verify_no_pubkey_check::<Fr, Fp, Fq, Secp256k1Affine>(
                &curve,
                ctx,
                key,
                r,
                s,
                digest.clone(),
                WINDOW_BITS,
                WINDOW_BITS,
            );
            assert_true(ctx, &range, accepted);
        }
        builder.assigned_instances[0] = public;
    }
}

/// One BIP-340 signature with the challenge that the verifier recomputes outside the circuit.
struct SchnorrSignature {
    public_key: Secp256k1Affine,
    r_x: Fp,
    challenge: Fq,
    s: Fq,
}

/// `signatures` Schnorr signatures; public: each key, each R.x and each challenge. Private: s.
pub(crate) struct SchnorrSecp256k1 {
    signatures: Vec<SchnorrSignature>,
}

impl SchnorrSecp256k1 {
    /// Fresh keys; the challenges are random, since no circuit here hashes.
    pub(crate) fn sample(signatures: usize) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let signatures = (0..signatures)
            .map(|_| {
                let signer = Signer::random(&mut rng);
                let challenge = Fq::random(&mut rng);
                let r_is_even = !fe_to_biguint(&signer.nonce_point.y).bit(0);
                let nonce = if r_is_even { signer.nonce } else { -signer.nonce };
                SchnorrSignature {
                    public_key: signer.public_key,
                    r_x: signer.nonce_point.x,
                    challenge,
                    s: nonce + challenge * signer.secret,
                }
            })
            .collect();
        Self { signatures }
    }
}

impl Statement for SchnorrSecp256k1 {
    fn fill(&self, builder: &mut BaseCircuitBuilder<Fr>) {
        let range = builder.range_chip();
        let chips = Chips::new(&range);
        let ctx = builder.main(0);
        let mut public = Vec::new();
        for signature in &self.signatures {
            assert_schnorr(ctx, &chips, signature, &mut public);
        }
        builder.assigned_instances[0] = public;
    }
}

/// R = sG − eP has the public x and an even y.
fn assert_schnorr(
    ctx: &mut Context<Fr>,
    chips: &Chips<'_>,
    signature: &SchnorrSignature,
    public: &mut Vec<AssignedValue<Fr>>,
) {
    let Chips { base, scalar } = chips;
    let curve = EccChip::new(base);
    let key = curve.load_private_unchecked(ctx, (signature.public_key.x, signature.public_key.y));
    let r_x = base.load_private(ctx, signature.r_x);
    let challenge = scalar.load_private(ctx, signature.challenge);
    let s = scalar.load_private(ctx, signature.s);
    for number in [key.x(), key.y(), &r_x, &challenge] {
        public.extend_from_slice(number.limbs());
    }

    for number in [&s, &challenge] {
        let in_range = scalar.is_soft_nonzero(ctx, number.clone());
        assert_true(ctx, base.range, in_range);
    }
    let s_g = fixed_base::scalar_multiply(
        base,
        ctx,
        &Secp256k1Affine::generator(),
        s.limbs().to_vec(),
        LIMB_BITS,
        WINDOW_BITS,
    );
    let e_p = scalar_multiply::<_, _, Secp256k1Affine>(
        base,
        ctx,
        key,
        challenge.limbs().to_vec(),
        LIMB_BITS,
        WINDOW_BITS,
    );
    // Strict: equal abscissae, which an honest signature meets with negligible chance, are refused.
    let r = curve.sub_unequal(ctx, s_g, e_p, true);
    let same_x = base.is_equal(ctx, r.x().clone(), r_x);
    assert_true(ctx, base.range, same_x);
    // Parity means something only for the one representative below p.
    base.enforce_less_than_p(ctx, r.y().clone());
    let odd = base.range.get_last_bit(ctx, r.y().limbs()[0], LIMB_BITS);
    base.range.gate().assert_is_const(ctx, &odd, &Fr::ZERO);
}

fn assert_true(ctx: &mut Context<Fr>, range: &RangeChip<Fr>, bit: AssignedValue<Fr>) {
    range.gate().assert_is_const(ctx, &bit, &Fr::ONE);
}

#[cfg(test)]
mod tests {
    use halo2_base::gates::circuit::CircuitBuilderStage;
    use halo2_base::halo2_proofs::dev::MockProver;

    use super::*;

    const DEGREE: usize = 15;

    fn satisfied(statement: &impl Statement) -> bool {
        let mut builder = BaseCircuitBuilder::from_stage(CircuitBuilderStage::Mock)
            .use_k(DEGREE)
            .use_lookup_bits(DEGREE - 1)
            .use_instance_columns(1);
        statement.fill(&mut builder);
        builder.calculate_params(Some(super::super::UNUSABLE_ROWS));
        let public = builder.assigned_instances[0].iter().map(|cell| *cell.value()).collect();
        MockProver::run(DEGREE as u32, &builder, vec![public])
            .is_ok_and(|prover| prover.verify().is_ok())
    }

    #[test]
    fn ecdsa_takes_the_signature_and_no_other() {
        let mut statement = EcdsaSecp256k1::sample(1);
        assert!(satisfied(&statement));
        statement.signatures[0].2 += Fq::ONE;
        assert!(!satisfied(&statement));
    }

    #[test]
    fn schnorr_takes_the_signature_and_no_other() {
        let mut statement = SchnorrSecp256k1::sample(1);
        assert!(satisfied(&statement));
        statement.signatures[0].s += Fq::ONE;
        assert!(!satisfied(&statement));
    }

    /// R of odd y: the same x, reached by the negated s and challenge.
    #[test]
    fn schnorr_refuses_the_odd_point() {
        let mut statement = SchnorrSecp256k1::sample(1);
        let signature = &mut statement.signatures[0];
        signature.s = -signature.s;
        signature.challenge = -signature.challenge;
        assert!(!satisfied(&statement));
    }
}
