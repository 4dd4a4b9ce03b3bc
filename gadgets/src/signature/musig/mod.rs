//! MuSig2 over Baby Jubjub in circuit: the aggregate key, then one verification.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::biguint_to_fe,
    AssignedValue,
    QuantumCell::{self, Constant, Existing},
};
use num_bigint::BigInt;
use rand_core::{CryptoRng, RngCore};

use crate::{
    field::edwards_scalar::{order, values, Coefficient, MAX_BATCH},
    hash::poseidon,
    signature::{
        batch::{assert_verify, Challenge, Item, HASH_WIDTH},
        embedded::{AssignedPoint, EmbeddedScheme, RawPoint},
        instructions::{AssignedClaim, AssignedSigner, Refusal},
    },
};
use muster_gates::{
    chain,
    edwards::{
        AssignedLong, AssignedShort, AssignedSum, BoundScalar, LongScalar, LongTerm, ShortScalar,
        ShortTerm, TableSource,
    },
    Chips, GateContext,
};
use muster_schemes::signature::musig::{
    native::{KeyAggregation, MusigError, CHALLENGE_DOMAIN, KEY_DOMAIN, LIST_DOMAIN, LIST_RATE},
    session::sign_together,
    Musig,
};
use muster_schemes::{
    curve::edwards::{halves, SubgroupPoint},
    hash::poseidon::domain,
    signature::{schnorr::SecretKey, RawSignature, Signature, SignatureScheme},
};

#[cfg(test)]
mod tests;

/// The lane that everything is done in.
const LANE: usize = 0;

/// The chip of [`HASH_WIDTH`] hashes what the native list hashes: a tag, a link and a block of keys.
const _: () = assert!(LIST_RATE + 2 == HASH_WIDTH);

impl EmbeddedScheme for Musig {
    const TOGETHER: bool = true;

    fn challenge() -> Challenge {
        Challenge { domain: domain(CHALLENGE_DOMAIN), factor: 1 }
    }

    fn verify_together(
        root: &Fr,
        signers: &[SubgroupPoint],
        message: &Fr,
        signature: &Signature,
    ) -> Result<(), Refusal> {
        let keys = KeyAggregation::new(root, signers)
            .map_err(|error| Refusal::AggregateKey(error.into()))?;
        Self::verify(&keys.aggregate(), message, signature).map_err(Refusal::Aggregate)
    }

    fn sign_together<R: RngCore + CryptoRng + Send>(
        root: &Fr,
        signers: Vec<(SecretKey, R)>,
        message: &Fr,
    ) -> Result<Signature, MusigError> {
        sign_together(root, signers, message)
    }

    /// The signature of all signers, by their aggregate key. Coefficients come in pairs, so it is
    /// paired with a signature by the generator.
    fn assert_all(
        ctx: &mut GateContext,
        claim: &AssignedClaim,
        signers: &[AssignedSigner],
        signatures: &[RawSignature],
    ) {
        assert_eq!(ctx.chips.edwards.lanes(), 1, "the keys are summed in one lane");
        let generator = AssignedPoint::generator(ctx, LANE);
        let sum = aggregate(ctx, claim, signers, &generator);
        let key =
            AssignedPoint { table: ctx.chips.edwards.table(ctx, LANE, &TableSource::Sum(sum)) };
        let padding = Self::padding_signature(claim.message.value());
        let items = [
            Item { public_key: &key, signature: &signatures[0] },
            Item { public_key: &generator, signature: &padding },
        ];
        assert_verify(ctx, LANE, Self::challenge(), claim.message, &items);
    }
}

/// `Σ aᵢ·Xᵢ` over the slots in use, with the coefficients that the list of their keys fixes.
///
/// A slot of weight 0 is not in use: its key is constrained to be the generator `B`, and one more
/// term `t·B` takes it out again, `t ≡ -Σ aᵢ (mod l)` over the slots that are not in use.
fn aggregate(
    ctx: &mut GateContext,
    claim: &AssignedClaim,
    signers: &[AssignedSigner],
    generator: &AssignedPoint,
) -> AssignedSum {
    let unused = unused_slots(ctx, signers);
    let link = list(ctx, claim.key_set_root, signers, &unused);
    let stretched = stretch(ctx.chips, link, signers.len() / 2);
    let scalars: Vec<u128> = stretched.iter().flat_map(|cell| halves(cell.value())).collect();
    let surplus = surplus(&unused, &scalars);
    let short: Vec<_> = signers
        .iter()
        .zip(&scalars)
        .map(|(signer, v)| ShortTerm {
            table: &signer.public_key.table,
            scalar: ShortScalar::new(*v),
        })
        .collect();
    let term = LongTerm { table: &generator.table, scalar: surplus };
    let product = ctx.chips.edwards.multiply(LANE, &[term], &short);
    let (mut coefficients, mut bound) = (vec![], vec![]);
    for (element, pair) in stretched.iter().zip(product.short.chunks_exact(2)) {
        let pair: &[AssignedShort; 2] = pair.try_into().expect("chunks of two");
        let (pair, evidence) = values(ctx, *element, pair);
        coefficients.extend(pair);
        bound.extend(evidence);
    }
    bound.push(assert_surplus(ctx, &unused, &coefficients, &product.long[0]));
    product.point(&bound)
}

/// The elements whose halves are the coefficients, a pair per element, from the last link of the list.
fn stretch(chips: &Chips, link: QuantumCell<Fr>, count: usize) -> Vec<AssignedValue<Fr>> {
    poseidon::stretch(chips.poseidon(HASH_WIDTH), domain(KEY_DOMAIN), link, count)
}

/// One bit per slot: 1 if its weight is 0. The slots in use come first, so the first slot of a block of
/// the list tells whether the block is in use. A slot that is not in use has the generator for its key.
fn unused_slots(ctx: &mut GateContext, signers: &[AssignedSigner]) -> Vec<AssignedValue<Fr>> {
    let zero = Constant(Fr::zero());
    let unused: Vec<_> =
        signers.iter().map(|signer| ctx.gate.is_zero(ctx, signer.weight)).collect();
    for pair in unused.windows(2) {
        let both = [(Existing(pair[0]), Existing(pair[1]))];
        chain::assert_sum(ctx, zero, &both, Existing(pair[0]));
    }
    let generator = Constant(-RawPoint::generator().x);
    for (signer, unused) in signers.iter().zip(&unused) {
        let unused = Existing(*unused);
        let terms = [(unused, Existing(signer.public_key.x())), (unused, generator)];
        chain::assert_sum(ctx, zero, &terms, zero);
    }
    unused
}

/// The last link of the list of keys. A block whose first slot is not in use passes its link on, so
/// the list is that of the slots in use, whatever the number of slots.
fn list(
    ctx: &mut GateContext,
    root: AssignedValue<Fr>,
    signers: &[AssignedSigner],
    unused: &[AssignedValue<Fr>],
) -> QuantumCell<Fr> {
    let minus_one = Constant(-Fr::one());
    let generator = Constant(RawPoint::generator().x);
    let mut link = Existing(root);
    for (block, unused) in signers.chunks(LIST_RATE).zip(unused.chunks(LIST_RATE)) {
        let mut inputs = vec![link];
        inputs.extend(block.iter().map(|signer| Existing(signer.public_key.x())));
        inputs.resize(HASH_WIDTH - 1, generator);
        let next = poseidon::hash(ctx.chips, domain(LIST_DOMAIN), &inputs).digest;
        let back = chain::sum(ctx, link, &[(minus_one, Existing(next))]);
        let passed = [(Existing(unused[0]), Existing(back))];
        link = Existing(chain::sum(ctx, Existing(next), &passed));
    }
    link
}

/// `-Σ aᵢ` over the slots that are not in use, or `l` more: whichever is odd.
fn surplus(unused: &[AssignedValue<Fr>], scalars: &[u128]) -> LongScalar {
    let is_unused = |cell: &AssignedValue<Fr>| *cell.value() != Fr::zero();
    let terms = unused.iter().zip(scalars).filter(|(cell, _)| is_unused(cell));
    let sum: BigInt = terms.map(|(_, v)| Coefficient::witness(*v)).sum();
    let odd = if sum.bit(0) { -sum } else { BigInt::from(order().clone()) - sum };
    LongScalar::new(&odd)
}

/// Constrains `t = b·l - Σ aᵢ` over the slots that are not in use, for a bit `b`. With at most
/// `2^14` coefficients below `2^128`, `l < 2^251` and `|t| < 2^252` both sides are integers that
/// differ by less than `2^253 < r`.
fn assert_surplus(
    ctx: &mut GateContext,
    unused: &[AssignedValue<Fr>],
    coefficients: &[AssignedValue<Fr>],
    scalar: &AssignedLong,
) -> BoundScalar {
    let t = scalar.value;
    assert!(coefficients.len() <= MAX_BATCH, "the bounds hold for up to 2^14 signers");
    let zero = Constant(Fr::zero());
    let terms: Vec<_> =
        unused.iter().zip(coefficients).map(|(u, a)| (Existing(*u), Existing(*a))).collect();
    let sum = chain::sum(ctx, zero, &terms);
    let l: Fr = biguint_to_fe(order());
    let bit = ctx.load_witness(if *t.value() == -*sum.value() { Fr::zero() } else { Fr::one() });
    ctx.gate.assert_bit(ctx, bit);
    let terms = [(Constant(Fr::one()), Existing(sum)), (Constant(-l), Existing(bit))];
    chain::assert_sum(ctx, Existing(t), &terms, zero);
    scalar.assume_bound()
}
