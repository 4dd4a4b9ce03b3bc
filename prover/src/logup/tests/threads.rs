//! What a proof is computed with does not show in it: threads, back ends, columns that are kept.

use std::{fs, thread, time::Instant};

use muster_circuits::{Request, Scheme, Shape};
use muster_engine::Backend;
use muster_testing::sampled;
use rayon::ThreadPoolBuilder;

use super::{
    sample::{rng, Keys, Sample},
    shipped::shipped,
};
use crate::{
    profile::{Phase, Profile, Stopwatch},
    tests::case::Case,
    ProofKind,
};

/// Of each number of threads, the rounds of which the middle one is printed.
const ROUNDS: u64 = 5;

fn small(kind: ProofKind) -> Case {
    Case::for_kind(&Shape::fit(&Request::new(Scheme::Schnorr, 3, 2)).unwrap(), 2, kind)
}

fn seeded(keys: &Keys, sample: &Sample, seed: u64) -> (Vec<u8>, Profile) {
    let mut watch = Stopwatch::start();
    let Keys { prover, columns, .. } = keys;
    let advice = sample.advice.clone();
    let proof = prover.prove(columns, advice, &sample.inputs, &mut rng(seed), &mut watch);
    (proof, watch.profile)
}

#[test]
fn any_number_of_threads_on_any_back_end() {
    for kind in ProofKind::ALL {
        let case = small(kind);
        let on = |threads, backend| {
            let (sample, keys) = shipped(&case, backend);
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (proof, _) = pool.install(|| seeded(&keys, &sample, 5));
            assert_eq!(keys.verify(&sample, &proof), Ok(()));
            proof
        };
        let one = on(1, Backend::best());
        let others = [2, 4, 8].map(|threads| (threads, Backend::best()));
        for (threads, backend) in sampled(others.into_iter().chain([(2, Backend::portable())]), 4) {
            assert!(on(threads, backend) == one, "{} on {threads} threads", kind.name());
        }
    }
}

#[test]
fn whatever_is_kept() {
    for kind in sampled(ProofKind::ALL, 2) {
        let (sample, keys) = shipped(&small(kind), Backend::best());
        let (low, without) = seeded(&keys, &sample, 6);
        let decider = keys.prover.decider.iter().map(|decider| &decider.system);
        let systems = [&keys.prover.system].into_iter().chain(decider);
        let of_key: usize = systems.map(|system| system.columns.of_key).sum();
        for _ in 0..2 {
            keys.prover.keep(&keys.columns);
            let (fast, with) = seeded(&keys, &sample, 6);
            assert!(fast == low, "{}", kind.name());
            let [fewer, more] = [with, without.clone()].map(|it| it.spent(Phase::Transforms).count);
            // On each of four cosets.
            assert_eq!(fewer + 4 * of_key, more, "{}", kind.name());
        }
    }
}

/// How a proof's work is split among threads, more of them than the machine has cores included: the processor time of all
/// of them, and of the one that worked longest. No machine makes a proof in less time than the latter, so their
/// ratio is the most that so many cores could gain. Of the cores that there are, how much of the time was idle. Linux only:
/// it reads the scheduler's accounts. Filling in the witness is not in it.
///
/// ```sh
/// cargo test --release -p muster-prover --lib logup::tests::threads -- --ignored --nocapture --test-threads 1
/// ```
#[test]
#[ignore = "it takes a minute, and nothing depends on it"]
fn measure_split() {
    for (signing, signers) in [(8, 16), (128, 256)] {
        let (sample, keys) =
            shipped(&Case::new(Scheme::Schnorr, signing, signers), Backend::best());
        for threads in [1, 2, 4, 8] {
            let Split { wall, all, longest } = split(&keys, &sample, threads);
            println!(
                "{signing} of {signers}, {threads} threads: {wall:.3} s, of processors {all:.3} s, of one thread at most \
                 {longest:.3} s, a gain of {:.2} at most; idle {:.0}%",
                all / longest,
                100. * (1. - all / (wall * threads.min(cores()) as f64)),
            );
        }
    }
}

/// Seconds.
struct Split {
    wall: f64,
    all: f64,
    longest: f64,
}

/// The round whose longest thread is the median.
fn split(keys: &Keys, sample: &Sample, threads: usize) -> Split {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let one = |seed| {
        let (before, start) = (pool.broadcast(|_| seconds_of_this_thread()), Instant::now());
        pool.install(|| seeded(keys, sample, seed));
        let wall = start.elapsed().as_secs_f64();
        let after = pool.broadcast(|_| seconds_of_this_thread());
        let spent: Vec<f64> =
            after.iter().zip(&before).map(|(after, before)| after - before).collect();
        let longest = spent.iter().copied().fold(0., f64::max);
        Split { wall, all: spent.iter().sum(), longest }
    };
    let mut rounds: Vec<Split> = (0..ROUNDS).map(one).collect();
    rounds.sort_by(|a, b| a.longest.total_cmp(&b.longest));
    rounds.swap_remove(rounds.len() / 2)
}

fn cores() -> usize {
    thread::available_parallelism().unwrap().get()
}

/// The time for which the calling thread has had a processor.
fn seconds_of_this_thread() -> f64 {
    let account = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds: f64 = account.split_whitespace().next().unwrap().parse().unwrap();
    nanoseconds / 1e9
}
