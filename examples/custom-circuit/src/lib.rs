#![doc = include_str!("../README.md")]

pub mod proof;

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::modulus,
    QuantumCell::{Existing, Witness},
};
use muster_gadgets::{
    hash::poseidon,
    signature::{
        batch, ecdsa,
        foreign::equations,
        instructions::{NativeInstructions, SignatureInstructions, Verified},
    },
};
use muster_gates::{
    foreign::ForeignLayout, vertical, GateCircuit, GateContext, Layout, PoseidonLayout,
};
use muster_schemes::{
    curve::weierstrass::{Curve, Point},
    signature::{
        ecdsa::{EcdsaSecp256k1, SecretKey, Signature},
        Choices, Message, Rule, SignatureScheme,
    },
};
use rand::{CryptoRng, RngCore};

/// The public inputs: the two halves of the digest, and the commitment.
pub const PUBLIC_INPUTS: usize = 3;

/// What a proof says: someone knows an opening of `commitment` to a key that signed `digest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What was signed.
    pub digest: [u8; 32],
    /// Poseidon of the key's name and a salt, as circomlib computes it.
    pub commitment: Fr,
}

impl Claim {
    /// The [public inputs](PUBLIC_INPUTS).
    pub fn public_inputs(&self) -> Vec<Fr> {
        let mut inputs = Message::from(self.digest).public_inputs();
        inputs.push(self.commitment);
        inputs
    }
}

/// What only the prover knows.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The key and its signature, found to be good.
    verified: Verified<EcdsaSecp256k1>,
    salt: Fr,
}

/// A signature on `digest`, and what may be said about it in public; `None` for a signature that
/// does not verify.
pub fn open(
    key: &Point,
    digest: [u8; 32],
    signature: Signature,
    salt: Fr,
) -> Option<(Claim, Opening)> {
    let (members, signatures) = ([(*key).into()], [signature.into()]);
    // There is no key set: ECDSA does not look at its root.
    let verified = scheme().verify_all(&Fr::zero(), &members, &digest, &signatures).ok()?;
    let commitment = muster_schemes::hash::poseidon::hash(&[key.name(), salt]);
    Some((Claim { digest, commitment }, Opening { verified, salt }))
}

/// The same for a fresh key.
pub fn sample(digest: [u8; 32], rng: &mut (impl RngCore + CryptoRng)) -> (Claim, Opening) {
    let secret: SecretKey<_> = EcdsaSecp256k1::keygen(rng);
    let signature = EcdsaSecp256k1::sign(&secret, &digest, rng);
    let key = EcdsaSecp256k1::public_key(&secret);
    open(&key, digest, signature, Fr::from(rng.next_u64())).expect("the signature is good")
}

fn scheme() -> EcdsaSecp256k1 {
    EcdsaSecp256k1::with(Choices::default())
}

/// 2^14 rows: ECDSA, and Poseidon of its transcript and of the commitment.
pub fn layout() -> Layout {
    let range_bits = 13;
    let foreign = ForeignLayout::new(&modulus::<Fr>(), range_bits, 6, &equations(Curve::Secp256k1));
    let poseidon =
        [batch::HASH_WIDTH, 3].map(|width| PoseidonLayout { width, columns: 1, lanes: 1 });
    Layout {
        k: 14,
        vertical_columns: 1,
        range_columns: 1,
        range_bits,
        poseidon: poseidon.to_vec(),
        constant_rows: 512,
        foreign: vec![foreign],
        ..Layout::default()
    }
}

/// The circuit of a claim; for keys with any claim and any good signature. The prover records no
/// constraints.
pub fn circuit(claim: &Claim, opening: &Opening, witness_gen_only: bool) -> GateCircuit {
    let build = |ctx: &mut GateContext| build(ctx, claim, opening);
    GateCircuit::new(&layout(), witness_gen_only, build).with_public_inputs(PUBLIC_INPUTS)
}

fn build(ctx: &mut GateContext, claim: &Claim, opening: &Opening) {
    // The public inputs are what is loaded first.
    let public: Vec<_> =
        claim.public_inputs().into_iter().map(|input| ctx.load_witness(input)).collect();
    let [high, low, commitment] = public[..] else { unreachable!("a claim has three") };
    // On the curve, not the identity, with canonical coordinates.
    let keys = scheme().assign_keys(ctx, &opening.verified.keys);
    let (rule, signatures) = ((Curve::Secp256k1, Rule::LowS), &opening.verified.signatures);
    let found = ecdsa::assert_verify_all(ctx, rule, [high, low], &keys, signatures);
    found.expect("a key that was not chosen for the digest");
    let name = scheme().name(ctx, &keys[0]);
    let inputs = [Existing(name), Witness(opening.salt)];
    let hashed = poseidon::hash(ctx.chips, Fr::zero(), &inputs);
    vertical::assert_equal(ctx, &hashed.digest, &commitment);
}
