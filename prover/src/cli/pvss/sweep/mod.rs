//! `muster pvss sweep`: times and sizes of all operations, over variants and sizes.

use std::{fs, io::Write, path::PathBuf, str::FromStr, time::Duration};

use muster_threshold::pvss::{
    dlog::{Search, Table},
    measure::{Bench, Times},
    Shape, Variant, SIGNATURE_BYTES,
};
use rand::rngs::OsRng;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{cli::Report, output::Output, progress::Progress, sweep::machine::Machine, Error};

mod plot;

const COLUMNS: &str = "variant,chunk_bits,threshold,shares,players,heaviest,threads,bytes,deal_ms,\
                       deal_kept_ms,encode_ms,verify_ms,decode_verify_ms,add_ms,decrypt_ms,\
                       decrypt_heaviest_ms,decrypt_random_ms,decrypt_166_ms,verify_all_ms,peak_bytes";

/// Measure dealing, verification, sums and decryption.
#[derive(Debug, clap::Args)]
pub(super) struct SweepArgs {
    /// Variants: chunky, chunky2, compact.
    #[arg(long, num_args = 1.., default_values_t = [Variant::Compact])]
    variant: Vec<Variant>,
    /// Bits of a chunk.
    #[arg(long, value_name = "BITS", default_value_t = 32)]
    chunk_bits: u32,
    /// Threshold and number of players of weight 1.
    #[arg(long = "case", value_name = "T/N", num_args = 1..)]
    cases: Vec<Case>,
    /// Threshold and number of shares of 136 players with weights from 1 to 7.
    #[arg(long, value_name = "T/W")]
    weighted: Option<Case>,
    /// log₂ of the entries of the table of logarithms.
    #[arg(long, value_name = "BITS", default_value_t = 22)]
    table_bits: u32,
    /// Dealings that are verified at once, too; none without it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    batch: usize,
    /// Runs that medians are taken of.
    #[arg(long, value_name = "N", default_value_t = 5)]
    repeat: usize,
    /// Numbers of threads.
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1])]
    threads: Vec<usize>,
    /// Directory for results.csv, results.json and results.svg.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Go on with the results in DIR.
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Replace the results in DIR.
    #[arg(long)]
    force: bool,
}

/// Shares that reconstruct, of all shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Case {
    threshold: usize,
    shares: usize,
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(t, n)| Some((t.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((threshold, shares)) if threshold >= 1 && threshold <= shares => {
                Ok(Self { threshold, shares })
            }
            _ => Err(format!("{text:?} is nothing like 6/8")),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    variant: String,
    chunk_bits: u32,
    threshold: usize,
    shares: usize,
    players: usize,
    heaviest: usize,
    threads: usize,
    bytes: usize,
    deal_ms: f64,
    deal_kept_ms: f64,
    encode_ms: f64,
    verify_ms: f64,
    decode_verify_ms: f64,
    add_ms: f64,
    decrypt_ms: f64,
    decrypt_heaviest_ms: f64,
    /// Of a player on average; rows of earlier versions do not have it.
    #[serde(default)]
    decrypt_random_ms: f64,
    decrypt_166_ms: f64,
    verify_all_ms: f64,
    /// Most memory that the process has held so far.
    peak_bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Results {
    machine: Machine,
    rows: Vec<Row>,
}

/// The weights of the weighted row: ours, since those of the published one are not known.
fn weighted(case: Case) -> Vec<u32> {
    let counts = [(93, 1), (25, 2), (8, 3), (4, 4), (2, 5), (2, 6), (2, 7)];
    let all: Vec<u32> =
        counts.into_iter().flat_map(|(count, weight)| vec![weight; count]).collect();
    match case.shares {
        219 => all,
        // Another number of shares: players of weight 1 make up for it, or take off.
        shares => (0..shares).map(|_| 1).collect(),
    }
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

pub(super) fn run(args: &SweepArgs) -> Result<Report, Error> {
    let path = args.out.join("results.json");
    let mut results = Results { machine: Machine::this(), rows: vec![] };
    match fs::read(&path) {
        Ok(bytes) if args.resume => {
            let before: Results = serde_json::from_slice(&bytes)
                .map_err(|error| Error::file(&path, error.to_string()))?;
            results.rows = before.rows;
        }
        Ok(_) if !args.force => return Err(Error::Exists(path)),
        _ => {}
    }
    let table = Table::new(args.table_bits);
    let search = Search::new(table.map_err(|found| Error::Usage(found.to_string()))?);
    for ask in asks(args)? {
        let known = results.rows.iter().any(|row| ask.is(row));
        if known {
            continue;
        }
        let row = Progress::new().run(&ask.name(), || ask.measure(args, &search))?;
        results.rows.push(row);
        save(&args.out, &results)?;
    }
    save(&args.out, &results)?;
    let text = format!("{}\n{}", results.machine.summary(), lines(&results));
    Ok(Report { text, json: serde_json::to_value(&results).unwrap_or_else(|_| json!({})) })
}

/// What a row is asked for.
struct Ask {
    shape: Shape,
    threads: usize,
}

fn asks(args: &SweepArgs) -> Result<Vec<Ask>, Error> {
    let mut cases: Vec<(Case, Vec<u32>)> =
        args.cases.iter().map(|case| (*case, vec![1; case.shares])).collect();
    cases.extend(args.weighted.map(|case| (case, weighted(case))));
    let mut asks = vec![];
    for (case, weights) in &cases {
        for variant in &args.variant {
            for threads in &args.threads {
                let shape = Shape::new(*variant, args.chunk_bits, case.threshold, weights);
                let shape = shape.map_err(|found| Error::Usage(found.to_string()))?;
                asks.push(Ask { shape, threads: *threads });
            }
        }
    }
    Ok(asks)
}

impl Ask {
    fn name(&self) -> String {
        let shape = &self.shape;
        format!("{} {}/{}", shape.variant(), shape.threshold(), shape.shares())
    }

    fn is(&self, row: &Row) -> bool {
        let shape = &self.shape;
        row.variant == shape.variant().name()
            && row.chunk_bits == shape.chunk_bits()
            && (row.threshold, row.shares) == (shape.threshold(), shape.shares())
            && (row.players, row.threads) == (shape.players(), self.threads)
    }

    fn measure(&self, args: &SweepArgs, search: &Search) -> Result<Row, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| Error::Usage(format!("--threads: {error}")))?;
        let failed = |found: muster_threshold::pvss::Error| Error::Usage(found.to_string());
        let bench = Bench::new(self.shape.clone(), &mut OsRng).map_err(failed)?;
        let measure = || bench.times(search, args.repeat, args.batch, &mut OsRng);
        let times: Times = pool.install(measure).map_err(failed)?;
        let shape = &self.shape;
        Ok(Row {
            variant: shape.variant().to_string(),
            chunk_bits: shape.chunk_bits(),
            threshold: shape.threshold(),
            shares: shape.shares(),
            players: shape.players(),
            heaviest: shape.slots(),
            threads: self.threads,
            bytes: shape.transcript_bytes() + SIGNATURE_BYTES,
            deal_ms: milliseconds(times.deal),
            deal_kept_ms: milliseconds(times.deal_kept),
            encode_ms: milliseconds(times.encode),
            verify_ms: milliseconds(times.verify),
            decode_verify_ms: milliseconds(times.decode_and_verify),
            add_ms: milliseconds(times.add),
            decrypt_ms: milliseconds(times.decrypt),
            decrypt_heaviest_ms: milliseconds(times.decrypt_heaviest),
            decrypt_random_ms: milliseconds(times.decrypt_random),
            decrypt_166_ms: milliseconds(times.decrypt_sum),
            verify_all_ms: milliseconds(times.verify_all),
            peak_bytes: peak(),
        })
    }
}

/// Most memory that this process has held, where the system tells.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) << 10
}

/// The rows as CSV.
fn lines(results: &Results) -> String {
    let mut text = format!("{COLUMNS}\n");
    for row in &results.rows {
        let value = serde_json::to_value(row).unwrap_or_else(|_| json!({}));
        let cell = |name: &str| value[name].to_string().trim_matches('"').to_owned();
        let cells: Vec<String> = COLUMNS.split(',').map(cell).collect();
        text.push_str(&format!("{}\n", cells.join(",")));
    }
    text
}

fn save(dir: &std::path::Path, results: &Results) -> Result<(), Error> {
    let mut output = Output::new(dir, &[], true)?;
    let svg = plot::draw(results).map_err(|reason| Error::file(dir, reason))?;
    let csv = lines(results);
    output.write("results.csv", |file| file.write_all(csv.as_bytes()))?;
    output.write("results.svg", |file| file.write_all(svg.as_bytes()))?;
    output.write("results.json", |file| {
        serde_json::to_writer_pretty(&mut *file, results)?;
        file.write_all(b"\n")
    })?;
    output.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_two_numbers() {
        assert_eq!("6/8".parse(), Ok(Case { threshold: 6, shares: 8 }));
        for bad in ["", "6", "6/", "/8", "9/8", "0/8", "a/b"] {
            assert!(bad.parse::<Case>().is_err(), "{bad}");
        }
        assert_eq!(weighted(Case { threshold: 129, shares: 219 }).iter().sum::<u32>(), 219);
    }
}
