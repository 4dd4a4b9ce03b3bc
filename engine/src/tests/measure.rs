use std::{hint::black_box, time::Instant};

use halo2curves::{bn256::Fr, ff::Field as _};

use super::backends;
use crate::{
    backend::Work,
    field::powers,
    lanes::{Lanes, LANES},
};

/// Octets side by side, so that none waits for its own last product.
const SIDE_BY_SIDE: usize = 2;
/// Elements that are multiplied, and how often each is.
const ELEMENTS: usize = 64 * SIDE_BY_SIDE * LANES;
const TIMES: usize = 1_000;
const ROUNDS: usize = 5;

/// Multiplies each of the elements by another one, again and again.
struct Chains<'a>(&'a mut [Fr], &'a [Fr]);

impl Work<Fr> for Chains<'_> {
    type Output = ();

    fn run<L: Lanes<Fr>>(self, lanes: L) {
        let Self(left, right) = self;
        lanes.vectorize(
            #[inline(always)]
            || {
                let one = lanes.load(&[Fr::ONE; LANES]);
                let (left, right) = (left.as_chunks_mut::<LANES>().0, right.as_chunks::<LANES>().0);
                let left = left.as_chunks_mut::<SIDE_BY_SIDE>().0;
                for (left, right) in left.iter_mut().zip(right.as_chunks::<SIDE_BY_SIDE>().0) {
                    let right = right.each_ref().map(|octet| lanes.multiplier(octet));
                    let mut products = left.each_ref().map(|octet| lanes.multiplier(octet));
                    for _ in 0..TIMES {
                        for (product, right) in products.iter_mut().zip(right) {
                            *product = lanes.chain(*product, right);
                        }
                    }
                    for (product, left) in products.into_iter().zip(left) {
                        lanes.store(lanes.mul(one, product), left);
                    }
                }
            },
        );
    }
}

fn by_the_library(left: &mut [Fr], right: &[Fr]) {
    for (left, right) in left.chunks_mut(SIDE_BY_SIDE).zip(right.chunks(SIDE_BY_SIDE)) {
        for _ in 0..TIMES {
            for (left, right) in left.iter_mut().zip(right) {
                *left *= right;
            }
        }
    }
}

/// Prints the nanoseconds of a product of elements that are in lanes, as all but the first and the last of a transform or of
/// a sum are: of the library and of each back end, in turn, medians of five. One core:
///
/// ```sh
/// taskset -c 0 cargo test --release -p muster-engine --lib measure_products -- --ignored --nocapture
/// ```
#[test]
#[ignore = "it takes seconds, and nothing depends on it"]
fn measure_products() {
    let right: Vec<Fr> = powers(Fr::from(5), Fr::from(7)).take(ELEMENTS).collect();
    let expected: Vec<Fr> = right.iter().map(|one| one.pow_vartime([TIMES as u64 + 1])).collect();
    let mut nanoseconds = vec![vec![]; 1 + backends().len()];
    let time = |multiply: &dyn Fn(&mut [Fr])| {
        let mut left = black_box(right.clone());
        let start = Instant::now();
        multiply(&mut left);
        let elapsed = start.elapsed();
        assert!(left == expected);
        elapsed.as_nanos() as f64 / (ELEMENTS * TIMES) as f64
    };
    for _ in 0..ROUNDS {
        nanoseconds[0].push(time(&|left| by_the_library(left, &right)));
        for (backend, nanoseconds) in backends().into_iter().zip(&mut nanoseconds[1..]) {
            nanoseconds.push(time(&|left| backend.run(Chains(left, &right))));
        }
    }
    let medians = nanoseconds.into_iter().map(|mut rounds| {
        rounds.sort_by(f64::total_cmp);
        rounds[ROUNDS / 2]
    });
    println!("library, then {:?}: {:.2?} ns", backends(), medians.collect::<Vec<_>>());
}
