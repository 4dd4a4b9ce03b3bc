//! The scheme in circuit: one permutation per signature.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue,
    QuantumCell::{Constant, Witness},
};

use super::{
    native::{DOMAIN, ZEROS},
    Opening, Preimage, PublicKey,
};
use muster_gadgets::{
    hash::poseidon,
    signature::{
        foreign::ExceptionalCase,
        instructions::{
            each, AssignedClaim, AssignedSigner, NativeInstructions, Needs, Padding,
            PaddingInstructions, Refusal, SignatureInstructions, Verified,
        },
    },
};
use muster_gates::{vertical, GateContext};
use muster_schemes::membership;
use muster_schemes::{
    hash::poseidon::domain,
    signature::{AnySignature, Choices, SignatureError, SignatureScheme},
};

impl NativeInstructions for Preimage {
    type RawKey = Fr;
    type RawSignature = Fr;

    fn with(_: Choices) -> Self {
        Self
    }

    fn admits(&self, key: &membership::PublicKey) -> Result<(), SignatureError> {
        key.of::<PublicKey>().map(drop).ok_or(SignatureError::OtherKey)
    }

    fn encode_member(&self, key: &membership::PublicKey) -> Option<Vec<u8>> {
        key.of().map(Self::encode_public_key)
    }

    fn verify_all(
        &self,
        _: &Fr,
        signers: &[membership::PublicKey],
        message: &Fr,
        signatures: &[AnySignature],
    ) -> Result<Verified<Self>, Refusal> {
        each(self, signers, signatures, |signer, key, signature| {
            let key = key.of::<PublicKey>().ok_or(Refusal::WrongKind)?;
            let signature = signature.of::<Opening>().ok_or(Refusal::WrongKind)?;
            let verdict = Self::verify(key, message, signature);
            verdict.map_err(|rule| Refusal::Signature { signer, rule })?;
            Ok((key.digest(), signature.secret()))
        })
    }
}

impl PaddingInstructions for Preimage {
    /// The secret 0.
    fn padding(&self, _: &Fr, number: u8) -> Option<Padding<Self>> {
        let key = PublicKey::new(Fr::ZERO).digest();
        (number == 0).then_some(Padding { key, leaf_key: vec![key], signature: Fr::ZERO })
    }
}

impl SignatureInstructions for Preimage {
    type AssignedKey = AssignedValue<Fr>;
    type AssignedMessage = AssignedValue<Fr>;

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn assign_message(
        &self,
        _: &mut GateContext,
        public: &[AssignedValue<Fr>],
        _: &Fr,
    ) -> AssignedValue<Fr> {
        let [message] = public else { unreachable!("an element takes one public input") };
        *message
    }

    fn assign_keys(&self, ctx: &mut GateContext, keys: &[Fr]) -> Vec<AssignedValue<Fr>> {
        ctx.assign_witnesses(keys.iter().copied())
    }

    fn name(&self, _: &mut GateContext, key: &AssignedValue<Fr>) -> AssignedValue<Fr> {
        *key
    }

    fn assert_verify_all(
        &self,
        ctx: &mut GateContext,
        _: &AssignedClaim,
        signers: &[AssignedSigner<AssignedValue<Fr>>],
        signatures: &[Fr],
    ) -> Result<(), ExceptionalCase> {
        for (signer, secret) in signers.iter().zip(signatures) {
            let mut inputs = [Constant(Fr::ZERO); 1 + ZEROS];
            inputs[0] = Witness(*secret);
            let hashed = poseidon::hash(ctx.chips, domain(DOMAIN), &inputs);
            vertical::assert_equal(ctx, &hashed.digest, &signer.public_key);
        }
        Ok(())
    }
}
