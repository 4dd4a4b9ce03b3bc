//! Keys and signatures of one signer, outside a circuit.

use criterion::{criterion_group, criterion_main, Criterion};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_schemes::signature::{
    bip340::Bip340,
    bls::{
        member::{Bls, MinPkBn254, Possession},
        MinPkPopBls12381, MinSigPopBls12381, MinSigPopBn254, PublicKey, SecretKey, Signature,
    },
    ecdsa::{EcdsaP256, EcdsaSecp256k1},
    ed25519::Ed25519,
    eddsa::Eddsa,
    musig::Musig,
    schnorr::Schnorr,
    SignatureScheme, SignedBytes, SignedMessage,
};

fn operations<S: SignatureScheme>(c: &mut Criterion, name: &str, message: &S::Message) {
    let mut rng = muster_benches::rng();
    let secret_key = S::keygen(&mut rng);
    let public_key = S::public_key(&secret_key);
    let signature = S::sign(&secret_key, message, &mut rng);
    let (key, bytes) = (S::encode_public_key(&public_key), S::encode_signature(&signature));
    let mut group = c.benchmark_group(name);
    group.bench_function("keygen", |b| b.iter(|| S::keygen(&mut rng)));
    let mut rng = muster_benches::rng();
    group.bench_function("sign", |b| b.iter(|| S::sign(&secret_key, message, &mut rng)));
    group.bench_function("verify", |b| b.iter(|| S::verify(&public_key, message, &signature)));
    group.bench_function("decode_public_key", |b| b.iter(|| S::decode_public_key(&key)));
    group.bench_function("decode_signature", |b| b.iter(|| S::decode_signature(&bytes)));
}

fn schemes(c: &mut Criterion) {
    let message = Fr::from(7);
    operations::<Schnorr>(c, "schnorr", &message);
    operations::<Eddsa>(c, "eddsa", &message);
    operations::<Musig>(c, "musig", &message);
    let digest = [7; 32];
    operations::<EcdsaSecp256k1>(c, "ecdsa_secp256k1", &digest);
    operations::<EcdsaP256>(c, "ecdsa_p256", &digest);
    operations::<Bip340>(c, "bip340", &digest);
    operations::<Ed25519>(c, "ed25519", &SignedBytes::new(&[7; 41]));
}

/// Signers whose keys and signatures are added.
const SIGNERS: usize = 512;

/// One signer's, as of all schemes, and sums.
fn bls<S: Possession>(c: &mut Criterion, name: &str, message: &S::Message) {
    operations::<Bls<S>>(c, name, message);
    let mut rng = muster_benches::rng();
    let secrets: Vec<SecretKey<S>> = (0..SIGNERS).map(|_| Bls::<S>::keygen(&mut rng)).collect();
    let keys: Vec<_> = secrets.iter().map(SecretKey::public_key).collect();
    let signatures: Vec<_> =
        secrets.iter().map(|secret| Bls::<S>::sign(secret, message, &mut rng)).collect();
    let ones = vec![S::Scalar::from(1); SIGNERS];
    let mut group = c.benchmark_group(name);
    group.bench_function(format!("sum_of_keys/n={SIGNERS}"), |b| b.iter(|| PublicKey::sum(&keys)));
    group.bench_function(format!("sum_of_signatures/n={SIGNERS}"), |b| {
        b.iter(|| Signature::combine(&signatures, &ones))
    });
}

fn aggregates(c: &mut Criterion) {
    let bytes = SignedBytes::new(&[7; 32]);
    bls::<MinPkBn254>(c, "bls_bn254", &SignedMessage::random(&mut muster_benches::rng()));
    bls::<MinSigPopBn254>(c, "bls_bn254_min_sig", &bytes.clone().into());
    bls::<MinPkPopBls12381>(c, "bls_bls12381", &bytes.clone().into());
    bls::<MinSigPopBls12381>(c, "bls_bls12381_min_sig", &bytes.into());
}

criterion_group!(benches, schemes, aggregates);
criterion_main!(benches);
