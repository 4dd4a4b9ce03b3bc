//! The whole: over random circuits, packs and columns, the verifier accepts exactly what the judge does.

use muster_testing::sampled;
use rand::Rng;

use super::{
    super::{
        circuit::circuit,
        judge::judge,
        sample::{rng, Keys},
    },
    packs::packing,
};
use crate::logup::run::Round;

#[test]
fn what_holds_is_accepted() {
    let mut good = 0;
    for seed in sampled(0..400, 10) {
        let mut sample = circuit(seed);
        let mut rng = rng(seed);
        let stride = rng.gen_range(1..=8);
        let keys = Keys::compact(&sample, packing(&sample.protocol, stride, &mut rng));
        let mut filled = vec![];
        let proof = keys.forge(&sample, seed, |round, columns| {
            if round == Round::Advice {
                filled = columns.iter().map(|column| column.numbers.clone()).collect();
            }
        });
        sample.advice = filled;
        let (verdict, proved) = (judge(&sample), keys.verify(&sample, &proof));
        assert_eq!(
            verdict.is_ok(),
            proved.is_ok(),
            "circuit {seed}, stride {stride}: {verdict:?}, {proved:?}"
        );
        good += usize::from(proved.is_ok());
    }
    assert!(good > 0);
}

#[test]
#[ignore]
fn timing() {
    let sample = circuit(5);
    let start = std::time::Instant::now();
    let keys = Keys::compact(&sample, packing(&sample.protocol, 4, &mut rng(1)));
    println!("keys {:?}", start.elapsed());
    let start = std::time::Instant::now();
    let mut r = rng(1);
    let mut watch = crate::profile::Stopwatch::start();
    let _ =
        keys.prover.prove(&keys.columns, sample.advice.clone(), &sample.inputs, &mut r, &mut watch);
    println!("proof {:?} {:?}", start.elapsed(), watch.profile());
}
