//! Times of dealing and verification: ours in three variants, and Groth21 on the same curve code, one
//! thread. `cargo run --release [shares …]`.

use std::time::Duration;

use muster_threshold::pvss::{
    dlog::{Search, Table},
    measure::{addition, Bench, Clock},
    Shape, Variant, SIGNATURE_BYTES,
};
use rand::{rngs::StdRng, SeedableRng};

mod groth21;

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median(runs: usize, mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Clock::now();
            run();
            milliseconds(start.elapsed())
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn weighted() -> Vec<u32> {
    let counts = [(93, 1), (25, 2), (8, 3), (4, 4), (2, 5), (2, 6), (2, 7)];
    counts.into_iter().flat_map(|(count, weight)| vec![weight; count]).collect()
}

fn ours(variant: Variant, threshold: usize, weights: &[u32], search: &Search, batch: usize) {
    let mut rng = StdRng::seed_from_u64(1);
    let Ok(shape) = Shape::new(variant, 32, threshold, weights) else { return };
    let bytes = shape.transcript_bytes() + SIGNATURE_BYTES;
    let made =
        Bench::new(shape, &mut rng).and_then(|bench| bench.times(search, 5, batch, &mut rng));
    let Ok(times) = made else { return };
    println!(
        "{variant:8} {threshold:4}/{:<5} {:8.2} KiB  deal {:8.2} (kept {:8.2})  verify {:7.2}  \
         decode+verify {:7.2}  encode {:5.2}  add {:5.2}  decrypt {:6.2}  heaviest {:6.2}  random {:6.2}  \
         of 166 {:7.2}  all {:6.2}  addition {:.0} ns",
        weights.iter().sum::<u32>(),
        bytes as f64 / 1024.0,
        milliseconds(times.deal),
        milliseconds(times.deal_kept),
        milliseconds(times.verify),
        milliseconds(times.decode_and_verify),
        milliseconds(times.encode),
        milliseconds(times.add),
        milliseconds(times.decrypt),
        milliseconds(times.decrypt_heaviest),
        milliseconds(times.decrypt_random),
        milliseconds(times.decrypt_sum),
        milliseconds(times.verify_all),
        addition().as_secs_f64() * 1e9,
    );
}

fn groth21(players: usize, threshold: usize, chunk_bits: u32) {
    let mut rng = StdRng::seed_from_u64(1);
    let shape = groth21::Shape { players, threshold, chunk_bits };
    let (setup, _) = groth21::Setup::new(shape, &mut rng);
    let witness = setup.witness(&mut rng);
    let dealing = setup.deal(&witness, &mut rng);
    let deal = median(5, || drop(setup.deal(&witness, &mut rng)));
    let mut good = true;
    let verify = median(5, || good &= setup.verify(&dealing));
    let (values, searches) = shape.longest_search();
    let addition = addition().as_secs_f64() * 1e9;
    println!(
        "groth21 l={chunk_bits:2} {threshold:4}/{players:<5} {:8.2} KiB  deal {deal:8.2}  verify \
         {verify:7.2}  accepted {good}; after the attack a chunk of \
         {}: {searches} searches in {values} values; addition {addition:.0} ns",
        shape.bytes() as f64 / 1024.0,
        shape.largest_chunk(),
    );
}

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![8, 16, 32, 64, 128, 256, 1024] } else { asked };
    let threads = std::env::var("THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let bits = std::env::var("TABLE_BITS").ok().and_then(|n| n.parse().ok()).unwrap_or(22);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let Ok(pool) = pool else { return };
    pool.install(|| {
        println!(
            "an addition of G1: {:.1} ns; {threads} threads; milliseconds",
            addition().as_secs_f64() * 1e9
        );
        let start = Clock::now();
        let Ok(table) = Table::new(bits) else { return };
        let built = start.elapsed();
        let bytes = table.to_bytes();
        let start = Clock::now();
        let loaded = Table::from_bytes(&bytes).is_ok();
        println!("table of 2^{bits}: {built:?}, loaded {loaded}: {:?}", start.elapsed());
        let search = Search::new(table);
        for n in sizes {
            // The thresholds of the published tables.
            let (threshold, weights) = match n {
                219 => (129, weighted()),
                128 => (85, vec![1; n]),
                256 => (169, vec![1; n]),
                _ => ((2 * n).div_ceil(3), vec![1; n]),
            };
            let batch = if n == 219 { 136 } else { 0 };
            for variant in Variant::ALL {
                let batch = if variant == Variant::Compact { batch } else { 0 };
                ours(variant, threshold, &weights, &search, batch);
            }
            if n != 219 && n <= 256 {
                groth21(n, threshold, 8);
                groth21(n, threshold, 16);
            }
        }
    });
}
