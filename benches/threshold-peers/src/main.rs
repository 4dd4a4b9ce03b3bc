//! Muster's threshold BLS beside commonware-cryptography's: recovery of a signature from t of 2t − 1
//! shares, both on one thread, in one run.

use std::{error::Error, hint::black_box, num::NonZeroU32, time::Instant};

use clap::Parser;
use commonware_codec::Encode;
use commonware_cryptography::bls12381::{
    dkg::feldman_desmedt::deal_anonymous,
    primitives::{
        ops::{self, threshold},
        sharing::Mode,
        variant::{MinSig, PartialSignature},
    },
};
use commonware_parallel::Sequential;
use commonware_utils::Faults;
use muster_threshold::bls::{Ciphersuite, Identities, MinSigBasicBls12381, Signature, Signers, Synthetic};
use num_traits::ToPrimitive;
use rand::{rngs::StdRng, seq::SliceRandom, SeedableRng};

const NAMESPACE: &[u8] = b"threshold-peers";
const MESSAGE: &[u8] = b"all of one mind";
/// Seconds that short runs are repeated for.
const LEAST_TIME: f64 = 1.0;

/// Recovery of a BLS signature from t of 2t − 1 shares: Muster and commonware-cryptography.
#[derive(Parser)]
struct Args {
    /// log₂ of the thresholds.
    #[arg(long, num_args = 1.., default_values_t = [6, 8, 10, 11, 12])]
    log: Vec<u32>,
    /// Least number of runs that the median is taken of.
    #[arg(long, default_value_t = 5)]
    repeat: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// n ≥ 2f + 1: the threshold is t of 2t − 1, as in the tables of the literature.
struct Majority;

impl Faults for Majority {
    fn max_faults(n: impl ToPrimitive) -> u32 {
        n.to_u32().map_or(0, |n| n.saturating_sub(1) / 2)
    }
}

/// Seconds of both.
struct Row {
    identities: Identities,
    log: u32,
    muster: f64,
    commonware: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    // blst has no threads of its own here, and what would be split is split by rayon.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let modes = [
        (Identities::Consecutive, Mode::NonZeroCounter),
        (Identities::RootsOfUnity, Mode::RootsOfUnity),
    ];
    let mut rows = vec![];
    for &log in &args.log {
        for (identities, mode) in modes {
            rows.push(measure(log, identities, mode, args.repeat)?);
        }
    }
    report(&rows, args.json);
    Ok(())
}

fn measure(
    log: u32,
    identities: Identities,
    mode: Mode,
    repeat: usize,
) -> Result<Row, Box<dyn Error>> {
    let t = 1usize << log;
    let n = NonZeroU32::new(2 * t as u32 - 1).ok_or("no signers")?;
    let mut rng = StdRng::seed_from_u64(u64::from(log));
    let (sharing, shares) = deal_anonymous::<MinSig, Majority>(&mut rng, mode, n);
    if sharing.required() as usize != t {
        return Err("another threshold than asked for".into());
    }
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.shuffle(&mut rng);
    order.truncate(t);
    order.sort_unstable();
    let partials: Vec<PartialSignature<MinSig>> = order
        .iter()
        .map(|&i| threshold::sign_message::<MinSig>(&shares[i], NAMESPACE, MESSAGE))
        .collect();

    let domain = Synthetic::<MinSigBasicBls12381>::domain(identities, n.get() as usize)?;
    let mut rng = chacha(log);
    let ours = Synthetic::<MinSigBasicBls12381>::new(&domain, t, MESSAGE, &mut rng)?;

    // Right before fast: each result under its own key, and at the same points each other's.
    let recovered = threshold::recover(&sharing, &partials, &Sequential)?;
    ops::verify_message::<MinSig>(sharing.public(), NAMESPACE, MESSAGE, &recovered)?;
    let indices: Vec<u32> = order.iter().map(|&i| i as u32 + 1).collect();
    if identities == Identities::Consecutive {
        let signers = Signers::new(indices, n.get() as usize)?;
        let points = partials.iter().map(|partial| Signature::from_bytes(&partial.value.encode()));
        let points = points.collect::<Result<Vec<Signature<MinSigBasicBls12381>>, _>>()?;
        let combined = combine(&points, &domain.coefficients(&signers)?)?;
        if combined.to_bytes()[..] != recovered.encode()[..] {
            return Err("the results differ".into());
        }
    }

    // In turns, so that what else the machine does meets both.
    let (mut muster, mut commonware) = (vec![], vec![]);
    let start = Instant::now();
    while muster.len() < repeat || start.elapsed().as_secs_f64() < LEAST_TIME {
        muster.push(seconds(|| {
            let signers = Signers::new(ours.signers.indices().to_vec(), n.get() as usize).ok();
            let coefficients = signers.and_then(|signers| domain.coefficients(&signers).ok());
            black_box(coefficients.and_then(|coefficients| ours.combine(&coefficients)));
        }));
        commonware.push(seconds(|| {
            black_box(threshold::recover(&sharing, &partials, &Sequential).ok());
        }));
    }
    Ok(Row { identities, log, muster: median(muster), commonware: median(commonware) })
}

/// The sum of points, each times its coefficient.
fn combine(
    points: &[Signature<MinSigBasicBls12381>],
    coefficients: &[<MinSigBasicBls12381 as Ciphersuite>::Scalar],
) -> Result<Signature<MinSigBasicBls12381>, Box<dyn Error>> {
    Signature::combine(points, coefficients).ok_or_else(|| "the identity".into())
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn report(rows: &[Row], json: bool) {
    if json {
        let row = |row: &Row| {
            serde_json::json!({
                "identities": row.identities.name(),
                "threshold": 1u64 << row.log,
                "muster_s": row.muster,
                "commonware_s": row.commonware,
                "ratio": row.commonware / row.muster,
            })
        };
        let rows: Vec<_> = rows.iter().map(row).collect();
        println!("{}", serde_json::json!({ "commonware-cryptography": "2026.10.0", "rows": rows }));
        return;
    }
    println!(
        "{:<16}{:>6}{:>14}{:>16}{:>8}",
        "identities", "t", "muster ms", "commonware ms", "ratio"
    );
    for Row { identities, log, muster, commonware } in rows {
        let (name, t) = (identities.name(), format!("2^{log}"));
        let (muster, commonware, ratio) = (muster * 1e3, commonware * 1e3, commonware / muster);
        println!("{name:<16}{t:>6}{muster:>14.3}{commonware:>16.3}{ratio:>8.2}");
    }
}

/// Muster's generation of rand.
fn chacha(log: u32) -> rand_chacha::ChaCha20Rng {
    rand_chacha::rand_core::SeedableRng::seed_from_u64(u64::from(log))
}
