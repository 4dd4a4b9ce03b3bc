use std::{fs, thread, time::Instant};

use halo2_base::halo2_proofs::transcript::{Blake2bWrite, Challenge255, TranscriptWriterBuffer};
use muster_circuits::{Request, Scheme};
use muster_engine::Backend;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rayon::ThreadPoolBuilder;

use super::case::Case;
use crate::{
    plonk::{Fresh, Prover},
    profile::Stopwatch,
};

/// Of each number of threads, the rounds of which the middle one is printed.
const ROUNDS: u64 = 5;

/// How a proof's work is split among threads, more of them than the machine has cores included: the processor time of all
/// of them, and of the one that worked longest. No machine makes a proof in less time than the latter, so their
/// ratio is the most that so many cores could gain. Of the cores that there are, how much of the time was idle. Linux only: it reads the scheduler's accounts.
///
/// ```sh
/// cargo test --release -p muster-prover --lib plonk::tests::threads -- --ignored --nocapture --test-threads 1
/// ```
#[test]
#[ignore = "it takes a minute, and nothing depends on it"]
fn measure_split() {
    for (signing, signers) in [(8, 16), (128, 256)] {
        let case = Case::of(&Request::new(Scheme::Schnorr, signers, signing));
        for threads in [1, 2, 4, 8] {
            let Split { wall, all, longest } = split(&case, threads);
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
fn split(case: &Case, threads: usize) -> Split {
    let (params, pk) = (case.srs.params(), case.keys.halo2().unwrap());
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let prover = Prover::new(Backend::best(), params, pk).unwrap();
    let inputs = case.statement.public_inputs();
    let one = |seed| {
        let mut transcript = Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
        let rng = &mut Fresh(ChaCha20Rng::seed_from_u64(seed));
        let (circuit, watch) = (case.circuit(), &mut Stopwatch::start());
        let (before, start) = (pool.broadcast(|_| seconds_of_this_thread()), Instant::now());
        pool.install(|| prover.prove(pk, circuit, &inputs, rng, &mut transcript, watch)).unwrap();
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
