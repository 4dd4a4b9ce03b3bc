//! MuSig2 in circuit: the aggregate key, then one verification.

use halo2_base::{
    gates::GateInstructions,
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};

use super::{
    native::{CHALLENGE_DOMAIN, KEY_DOMAIN},
    Musig,
};
use crate::{
    field::edwards_scalar::{assert_product, product, AssignedCanonical, Coefficient},
    gate::{
        edwards::{LongTerm, Product, TableSource},
        Chips,
    },
    hash::poseidon::{chip, domain},
    signature::{
        batch::{assert_verify, Challenge, Item},
        instructions::{
            assert_not_identity, padding_signature, AssignedClaim, AssignedPoint, AssignedSigner,
            SignatureInstructions,
        },
        RawSignature,
    },
};

/// The lane that everything is done in.
const LANE: usize = 0;

impl SignatureInstructions for Musig {
    const AGGREGATE: bool = true;

    fn assert_verify_all(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedClaim,
        signers: &[AssignedSigner],
        signatures: &[RawSignature],
    ) -> Vec<Option<AssignedValue<Fr>>> {
        assert_eq!(chips.edwards.lanes(), 1, "the keys are summed in one lane");
        let Product { x, y, long, .. } = aggregate(ctx, chips, claim, signers);
        // A sum of points of the subgroup lies in it; a table needs a point with x ≠ 0.
        let (x, y) = (Existing(x), Existing(y));
        let table = chips.edwards.table(LANE, &TableSource::Known { x, y });
        assert_not_identity(ctx, &table);
        let key = AssignedPoint { table };
        // Coefficients come in pairs, so a signature of the generator keeps the one company.
        let generator = AssignedPoint::generator(chips, LANE);
        let padding = Self::padding_signature(claim.message.value());
        let items = [
            Item { public_key: &key, member: None, signature: &signatures[0] },
            Item { public_key: &generator, member: None, signature: &padding },
        ];
        assert_verify(ctx, chips, LANE, challenge(), claim.message, &items);
        long.into_iter().map(|term| term.member).collect()
    }

    fn padding_signature(message: &Fr) -> RawSignature {
        padding_signature(challenge(), message)
    }
}

fn challenge() -> Challenge {
    Challenge { domain: domain(CHALLENGE_DOMAIN), factor: 1 }
}

/// `Σ aᵢ·Xᵢ` over the slots in use, with `aᵢ` the hash of the key-set root and the key.
///
/// A slot of weight 0 is not in use: its coefficient is replaced by 0, whose odd representative is
/// a multiple of the order.
fn aggregate(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    claim: &AssignedClaim,
    signers: &[AssignedSigner],
) -> Product {
    let one = Coefficient::one();
    let zero = Constant(Fr::zero());
    let coefficients: Vec<_> = signers
        .iter()
        .map(|signer| {
            let key = &signer.public_key;
            let inputs = [claim.key_set_root, key.x(), key.y()].map(Existing);
            let [root, x, y] = inputs;
            let hash = chip::hash(chips, domain(KEY_DOMAIN), &[root, x, y, zero, zero]).digest;
            let unused = chips.gate.is_zero(ctx, signer.weight);
            let used = chips.gate.mul_not(ctx, unused, hash);
            AssignedCanonical::of_field(ctx, chips, used)
        })
        .collect();
    let terms: Vec<_> = signers
        .iter()
        .zip(&coefficients)
        .map(|(signer, a)| LongTerm {
            table: &signer.public_key.table,
            scalar: product(1, &1.into(), a),
            member: signer.member.clone(),
        })
        .collect();
    let result = chips.edwards.multiply(LANE, &terms, &[]);
    for (a, t) in coefficients.iter().zip(&result.long) {
        assert_product(ctx, chips, (1, &one, a), t);
    }
    result
}
