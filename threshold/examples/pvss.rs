//! Measures of sharing that `muster pvss sweep` does not take. On an idle machine:
//!
//! ```sh
//! cargo run --release -p muster-threshold --example pvss -- threads    # two against one: deal, verify, verify_all
//! cargo run --release -p muster-threshold --example pvss -- memory     # peak of verifying 683/1024
//! cargo run --release -p muster-threshold --example pvss -- table 24   # a table of 2^24: build, load, 166 dealings
//! cargo run --release -p muster-threshold --example pvss -- decode     # subgroups in a batch against one by one
//! cargo run --release -p muster-threshold --example pvss -- domains    # orders 33·2^a against 2^(a+6)
//! cargo run --release -p muster-threshold --example pvss -- node       # all work of one node of 136
//! ```
//!
//! Two numbers after a command are the shares and the threshold, where that is a session of players of weight 1.

use std::{
    error::Error,
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

use muster_threshold::{
    dkg::{group, shares, Ceremony, Certificate, Fraction, Node},
    pairing_curve::{all_in_g1, decode_g1, decode_g2, decode_on_curve, G1_BYTES, G2_BYTES},
    pvss::{
        deal_random,
        dlog::{Search, Table},
        measure::{addition, Bench, Clock},
        verify, verify_all, Dealt, Parameters, Session, Shape, Srs, Variant,
    },
};
use rand::{rngs::StdRng, SeedableRng};
use sha2::{Digest, Sha256};

type Fault = Box<dyn Error + Send + Sync>;
type Done = Result<(), Fault>;

/// Runs that a median is taken of.
const RUNS: usize = 5;

fn rng() -> StdRng {
    StdRng::seed_from_u64(1)
}

fn main() -> Done {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| args.get(place).and_then(|arg| arg.parse::<usize>().ok());
    let sizes = number(1).zip(number(2));
    println!("an addition of G1: {:.0} ns", one_thread(addition)?.as_secs_f64() * 1e9);
    match args.first().map(String::as_str) {
        Some("threads") => threads(sizes),
        Some("memory") => memory(sizes.unwrap_or((1024, 683))),
        Some("verify-alone") => verify_alone(sizes.unwrap_or((1024, 683))),
        Some("table") => one_thread(|| table(number(1).unwrap_or(24) as u32))?,
        Some("decode") => one_thread(|| decode(sizes.unwrap_or((256, 169))))?,
        Some("domains") => one_thread(domains)?,
        Some("node") => one_thread(node)?,
        _ => Err("threads, memory, table, decode, domains or node".into()),
    }
}

/// Runs something with one thread; the clock counts what it runs itself.
fn one_thread<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T, Fault> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(run))
}

/// The weights of the weighted row.
fn weighted() -> Vec<u32> {
    let counts = [(93, 1), (25, 2), (8, 3), (4, 4), (2, 5), (2, 6), (2, 7)];
    counts.into_iter().flat_map(|(count, weight)| vec![weight; count]).collect()
}

fn shape(sizes: Option<(usize, usize)>) -> Result<Shape, Fault> {
    let (threshold, weights) = match sizes {
        Some((shares, threshold)) => (threshold, vec![1; shares]),
        None => (129, weighted()),
    };
    Ok(Shape::new(Variant::Compact, 32, threshold, &weights)?)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median<T>(
    runs: usize,
    elapsed: impl Fn(&mut dyn FnMut()) -> Duration,
    mut run: impl FnMut() -> T,
) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| milliseconds(elapsed(&mut || drop(std::hint::black_box(run())))))
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The thread's own time: for one thread.
fn own(run: &mut dyn FnMut()) -> Duration {
    let start = Clock::now();
    run();
    start.elapsed()
}

/// The time of the clock on the wall.
fn wall(run: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn threads(sizes: Option<(usize, usize)>) -> Done {
    let bench = Bench::new(shape(sizes)?, &mut rng())?;
    let dealings = bench.dealings(bench.keys().len().min(136), &mut rng())?;
    let (session, keys) = (bench.session(), &bench.keys()[0]);
    let mut rows = vec![];
    for count in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build()?;
        let time = |runs: usize, run: &(dyn Fn() -> bool + Sync)| {
            pool.install(|| median(runs, wall, || assert!(run())))
        };
        rows.push([
            time(RUNS, &|| deal_random(session, 1, keys, &mut rng()).is_ok()),
            time(RUNS, &|| verify(session, &dealings[0]).is_ok()),
            time(1, &|| verify_all(session, &dealings).iter().all(Result::is_ok)),
        ]);
    }
    let names = ["deal, with kept tables", "verify", "verify_all"];
    for (place, name) in names.into_iter().enumerate() {
        let (one, two) = (rows[0][place], rows[1][place]);
        println!("{name}: one thread {one:.2} ms, two {two:.2}: {:.2} times as fast", one / two);
    }
    Ok(())
}

const TRANSCRIPT: &str = "muster-pvss-transcript.bin";
const POINTS: &str = "muster-pvss-points.bin";

/// A bench of the same keys and string in every process.
fn seeded(shape: &Shape, kept: Option<&[u8]>) -> Result<Bench, Fault> {
    let srs = Srs::insecure(shape.domain(), &mut rng())?;
    let parameters = match kept {
        Some(bytes) => Parameters::from_kept(&srs, shape.domain(), bytes)?,
        None => Parameters::new(&srs, shape.domain())?,
    };
    Ok(Bench::with(shape.clone(), parameters, &mut rng())?)
}

/// Deals, and has a process of its own verify, which holds nothing of what dealing needs.
fn memory(sizes: (usize, usize)) -> Done {
    let bench = seeded(&shape(Some(sizes))?, None)?;
    let dir = std::env::temp_dir();
    fs::write(dir.join(TRANSCRIPT), bench.deal(&mut rng())?.as_bytes())?;
    fs::write(dir.join(POINTS), bench.session().parameters().lagrange_bytes())?;
    let (shares, threshold) = (sizes.0.to_string(), sizes.1.to_string());
    let status = std::process::Command::new(std::env::current_exe()?)
        .args(["verify-alone", &shares, &threshold])
        .status()?;
    fs::remove_file(dir.join(TRANSCRIPT))?;
    fs::remove_file(dir.join(POINTS))?;
    if status.success() {
        Ok(())
    } else {
        Err("the other process failed".into())
    }
}

fn verify_alone(sizes: (usize, usize)) -> Done {
    let dir = std::env::temp_dir();
    let bench = seeded(&shape(Some(sizes))?, Some(&fs::read(dir.join(POINTS))?))?;
    let bytes = fs::read(dir.join(TRANSCRIPT))?;
    // What the set-up held is forgotten: the peak from here on.
    fs::write("/proc/self/clear_refs", "5")?;
    let before = kibibytes("VmRSS:")?;
    let dealt = Dealt::from_bytes(bench.session(), 1, &bytes)?;
    verify(bench.session(), &dealt)?;
    let peak = kibibytes("VmHWM:")?;
    println!(
        "decode and verify {}/{}: {:.1} MiB at the peak, of which {:.1} were held before (session, \
         reference string, the bytes)",
        sizes.1,
        sizes.0,
        peak / 1024.0,
        before / 1024.0,
    );
    Ok(())
}

fn kibibytes(name: &str) -> Result<f64, Fault> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no such line")?;
    Ok(line.split_whitespace().next().ok_or("no number")?.parse()?)
}

fn table(bits: u32) -> Done {
    let start = Clock::now();
    let table = Table::new(bits)?;
    let built = start.elapsed();
    let bytes = table.to_bytes();
    let start = Clock::now();
    let loaded = Table::from_bytes(&bytes)?;
    println!(
        "table of 2^{bits}: {} MiB, built in {:.2} s, loaded in {:.2} s",
        bytes.len() >> 20,
        built.as_secs_f64(),
        start.elapsed().as_secs_f64()
    );
    let bench = Bench::new(Shape::new(Variant::Compact, 32, 169, &[1; 256])?, &mut rng())?;
    let times = bench.times(&Search::new(loaded), RUNS, 0, &mut rng())?;
    println!(
        "a share of one dealing {:.2} ms, of 166 {:.1} ms",
        milliseconds(times.decrypt),
        milliseconds(times.decrypt_sum)
    );
    Ok(())
}

fn decode((shares, threshold): (usize, usize)) -> Done {
    let shape = Shape::new(Variant::Compact, 32, threshold, &vec![1; shares])?;
    let bench = Bench::new(shape.clone(), &mut rng())?;
    let dealt = bench.deal(&mut rng())?;
    // The commitments come first, and then the ciphertexts.
    let (in_g2, rest) = dealt.as_bytes().split_at(G2_BYTES * (shares + 1));
    let in_g1 = &rest[..G1_BYTES * shape.total_chunks()];
    let points = || in_g1.chunks_exact(G1_BYTES).map(|bytes| bytes.try_into().expect("a point"));
    let second = median(RUNS, own, || {
        let mut points = in_g2.chunks_exact(G2_BYTES);
        points.all(|bytes| decode_g2(bytes.try_into().expect("a point")).is_ok())
    });
    let single = median(RUNS, own, || points().all(|bytes| decode_g1(bytes).is_ok()));
    let batch = median(RUNS, own, || {
        let seed = Sha256::digest(in_g1).into();
        let all: Result<Vec<_>, _> = points().map(decode_on_curve).collect();
        all.is_ok_and(|points| all_in_g1(&points, &seed))
    });
    let whole =
        median(RUNS, own, || Dealt::from_bytes(bench.session(), 1, dealt.as_bytes()).is_ok());
    println!(
        "{threshold}/{shares}: {} points of G1 one by one {single:.1} ms, in a batch {batch:.1}: {:.2} times as \
         fast; {} of G2 {second:.1}; with those {:.2} times; a whole dealing {whole:.1}",
        shape.total_chunks(),
        single / batch,
        shares + 1,
        (single + second) / (batch + second),
    );
    Ok(())
}

fn domains() -> Done {
    for shares in [8usize, 16, 32, 64, 128, 256, 512] {
        let shape = Shape::new(Variant::Compact, 32, (2 * shares).div_ceil(3), &vec![1; shares])?;
        let (least, power) = (shape.domain(), shape.domain().next_power_of_two());
        let srs = Srs::insecure(power, &mut rng())?;
        let mut row = vec![];
        for domain in [least, power] {
            let parameters = Parameters::new(&srs, domain)?;
            let bench = Bench::with(shape.clone(), parameters, &mut rng())?;
            // Tables are made by the first one.
            let first = bench.deal(&mut rng())?;
            row.push(median(RUNS, own, || bench.deal(&mut rng()).is_ok()));
            row.push(median(RUNS, own, || verify(bench.session(), &first).is_ok()));
        }
        println!(
            "{shares:4} shares, {} chunks: M = {least} deals in {:.2} ms and verifies in {:.2}, M = {power} in {:.2} \
             and {:.2}: {:.2} times as long to deal",
            shape.total_chunks(),
            row[0],
            row[1],
            row[2],
            row[3],
            row[2] / row[0],
        );
    }
    Ok(())
}

fn node() -> Done {
    let shape = Shape::new(Variant::Compact, 32, 129, &weighted())?;
    let mut stakes: Vec<u64> = weighted().into_iter().map(u64::from).collect();
    // So much that its own attestation is enough; it is checked as often as all others' would be.
    stakes[135] = 438;
    let bench = Bench::new(shape, &mut rng())?;
    let (session, keys): (Arc<Session>, _) = (Arc::new(bench.session().clone()), bench.keys());
    let fraction = |a, b| Fraction::new(a, b).ok_or("a fraction");
    let ceremony = Ceremony::new(session, &stakes, fraction(2, 3)?, fraction(1, 3)?)?;
    let dealings = (1..).zip(bench.dealings(keys.len(), &mut rng())?);
    let all: Vec<(usize, Vec<u8>)> =
        dealings.map(|(dealer, dealt)| (dealer, dealt.as_bytes().to_vec())).collect();
    let search = Search::new(Table::new(22)?);
    let mut spent = vec![];
    let mut last = Clock::now();
    let mut step = |name: &'static str| {
        spent.push((name, last.elapsed()));
        last = Clock::now();
    };
    let mut node = Node::new(&ceremony, 136, &keys[135])?;
    let own = node.deal(&mut rng())?;
    step("deal");
    let others: Vec<_> = all[..135].iter().cloned().chain([(136, own)]).collect();
    node.receive_all(&others);
    step("decode and verify 136 dealings");
    let (proposal, sum) = node.propose()?;
    step("add up and propose");
    let own = node.attest(&proposal)?;
    step("check a proposal and attest");
    let attestations = vec![own; keys.len()];
    let certificate = Certificate::new(&ceremony, proposal, &attestations)?;
    let certified = node.accept(&certificate, &sum)?;
    step("136 attestations, the certificate and its check");
    shares(&ceremony, &certified, 136, &keys[135], &search)?;
    group(&ceremony, &certified)?;
    step("decrypt seven shares, and the group");
    spent.iter().for_each(|(name, time)| println!("{name}: {:.2} s", time.as_secs_f64()));
    let total: Duration = spent.iter().map(|(_, time)| *time).sum();
    println!("all of one node's work: {:.2} s", total.as_secs_f64());
    Ok(())
}
