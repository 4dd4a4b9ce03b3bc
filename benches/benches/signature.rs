//! Keys and signatures of one signer, outside a circuit.

use criterion::{criterion_group, criterion_main, Criterion};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gadgets::signature::{eddsa::Eddsa, musig::Musig, schnorr::Schnorr, SignatureScheme};

fn operations<S: SignatureScheme<Message = Fr>>(c: &mut Criterion, name: &str) {
    let mut rng = muster_benches::rng();
    let secret_key = S::keygen(&mut rng);
    let public_key = S::public_key(&secret_key);
    let message = Fr::from(7);
    let signature = S::sign(&secret_key, &message, &mut rng);
    let (key, bytes) = (S::encode_public_key(&public_key), S::encode_signature(&signature));
    let mut group = c.benchmark_group(name);
    group.bench_function("keygen", |b| b.iter(|| S::keygen(&mut rng)));
    let mut rng = muster_benches::rng();
    group.bench_function("sign", |b| b.iter(|| S::sign(&secret_key, &message, &mut rng)));
    group.bench_function("verify", |b| b.iter(|| S::verify(&public_key, &message, &signature)));
    group.bench_function("decode_public_key", |b| b.iter(|| S::decode_public_key(&key)));
    group.bench_function("decode_signature", |b| b.iter(|| S::decode_signature(&bytes)));
}

fn schemes(c: &mut Criterion) {
    operations::<Schnorr>(c, "schnorr");
    operations::<Eddsa>(c, "eddsa");
    operations::<Musig>(c, "musig");
}

criterion_group!(benches, schemes);
criterion_main!(benches);
