//! The rounds of MuSig2.

use criterion::{criterion_group, criterion_main, BatchSize, Criterion};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_schemes::signature::{
    musig::{AggregateNonce, KeyAggregation, Musig, PublicNonce, SecretNonce, Session},
    SignatureScheme,
};

const SIGNERS: usize = 8;

fn rounds(c: &mut Criterion) {
    let mut rng = muster_benches::rng();
    let secrets: Vec<_> = (0..SIGNERS).map(|_| Musig::keygen(&mut rng)).collect();
    let public: Vec<_> = secrets.iter().map(Musig::public_key).collect();
    let (root, message) = (Fr::from(5), Fr::from(7));
    let keys = KeyAggregation::new(&root, &public).expect("distinct keys");
    let mut draw = |i: usize| SecretNonce::generate(&secrets[i], &keys, Some(&message), &mut rng);
    let nonces: Vec<SecretNonce> = (0..SIGNERS).map(&mut draw).collect();
    let commitments: Vec<PublicNonce> = nonces.iter().map(SecretNonce::public).collect();
    let aggregate = AggregateNonce::new(&commitments);
    let session = Session::new(&keys, &aggregate, &message).expect("honest nonces");
    let sign = |(i, nonce): (usize, SecretNonce)| {
        (nonce.public(), session.sign(&secrets[i], nonce).expect("a signer"))
    };
    let shares: Vec<_> = nonces.into_iter().enumerate().map(sign).collect();

    let mut group = c.benchmark_group("musig");
    group.bench_function(format!("aggregate_keys/k={SIGNERS}"), |b| {
        b.iter(|| KeyAggregation::new(&root, &public))
    });
    group.bench_function("nonce", |b| b.iter(|| draw(0)));
    group.bench_function(format!("session/k={SIGNERS}"), |b| {
        b.iter(|| Session::new(&keys, &AggregateNonce::new(&commitments), &message))
    });
    let mut rng = muster_benches::rng();
    group.bench_function("sign_partial", |b| {
        b.iter_batched(
            || SecretNonce::generate(&secrets[0], &keys, Some(&message), &mut rng),
            |nonce| session.sign(&secrets[0], nonce),
            BatchSize::SmallInput,
        )
    });
    let (nonce, partial) = &shares[0];
    group
        .bench_function("verify_partial", |b| b.iter(|| session.verify_partial(0, nonce, partial)));
    group.bench_function(format!("aggregate/k={SIGNERS}"), |b| {
        b.iter(|| session.aggregate(&shares))
    });
}

criterion_group!(benches, rounds);
criterion_main!(benches);
