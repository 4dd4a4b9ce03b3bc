//! `muster-farm size`: what a load asks of a farm, on paper and played.

use bytesize::ByteSize;
use muster_prover::{decimal, terminal::print};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use serde_json::json;

use crate::{
    sizing::{simulate, Demand, Failures, Fleet, Load, Report, Server, StoreLink, Trial},
    Error,
};

/// Seconds of an hour.
const HOUR: f64 = 3_600.0;
/// Bytes a second of one Gbit/s.
const GBIT: f64 = 1.25e8;
/// Bytes of a MB.
const MB: f64 = 1e6;

/// Estimate how large a farm has to be: workers, Temporal's server, and the store.
///
/// What a load demands of a farm is computed on paper, and then simulated with queues and chance.
/// Nothing is proven, and no server is contacted: measure the seconds per proof yourself, with
/// `muster sweep` on a machine like those of the farm.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster-farm size --seconds 0.06 --rate 2900 --workers 250
  muster-farm size --seconds 6.1 --verify-seconds 0.008 --proof-size 25kB --rate 150 --workers 1000 \\
      --hours-between-failures 24 --server-limit 5000
  muster-farm size --seconds 0.31 --rate 2000 --workers 1000 --cold --key-size 500MB --store-gbit 1")]
pub(super) struct SizeArgs {
    #[command(flatten)]
    load: LoadArgs,
    #[command(flatten)]
    fleet: FleetArgs,
    #[command(flatten)]
    trial: TrialArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What comes in.
#[derive(Debug, clap::Args)]
struct LoadArgs {
    /// Seconds per proof, witness included, on all cores of a worker.
    #[arg(long, value_name = "S")]
    seconds: f64,
    /// Seconds to verify a proof.
    #[arg(long, value_name = "S", default_value_t = 0.004)]
    verify_seconds: f64,
    /// Jobs per second.
    #[arg(long, value_name = "N")]
    rate: f64,
    /// Jobs per workflow (default: up to 16 jobs of less than two seconds each, as far as their
    /// inputs fit).
    #[arg(long, value_name = "N", value_parser = decimal::read::<u32>)]
    batch: Option<u32>,
    /// Size of a proof's file.
    #[arg(long, value_name = "SIZE", default_value = "8200B")]
    proof_size: ByteSize,
    /// Size of the committee's file.
    #[arg(long, value_name = "SIZE", default_value = "1700B")]
    committee_size: ByteSize,
    /// Size of the file of signatures.
    #[arg(long, value_name = "SIZE", default_value = "1600B")]
    signatures_size: ByteSize,
    /// Size of the key's files and the SRS, which each worker fetches from the store.
    #[arg(long, value_name = "SIZE", default_value = "500MB")]
    key_size: ByteSize,
}

/// What there is.
#[derive(Debug, clap::Args)]
struct FleetArgs {
    /// Number of workers, in all regions together.
    #[arg(long, value_name = "N", value_parser = decimal::read::<u32>)]
    workers: u32,
    /// Proofs made at once on a worker.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = decimal::read::<u32>)]
    slots: u32,
    /// Regions, each with an equal part of the workers and jobs, and with a store and a server of
    /// its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = decimal::read::<u32>)]
    regions: u32,
    /// Gbit/s to the store, shared by all workers of a region.
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    store_gbit: f64,
    /// Seconds per request to the store.
    #[arg(long, value_name = "S", default_value_t = 0.01)]
    store_seconds: f64,
    /// State transitions per second that a region's server can make (default: as many as are
    /// needed).
    #[arg(long, value_name = "N")]
    server_limit: Option<f64>,
    /// Seconds per request to an idle server.
    #[arg(long, value_name = "S", default_value_t = 0.01)]
    server_seconds: f64,
    /// Hours between two failures of a worker (default: none fails).
    #[arg(long, value_name = "H")]
    hours_between_failures: Option<f64>,
    /// Seconds until a worker that failed is back, without its keys.
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    restart_seconds: f64,
}

/// What is played.
#[derive(Debug, clap::Args)]
struct TrialArgs {
    /// Seconds to simulate, in one region.
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    play: f64,
    /// Seconds to simulate beforehand, until the queues have settled.
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    warm_up: f64,
    /// Begin with workers that must first fetch their keys.
    #[arg(long)]
    cold: bool,
    /// Seed of the simulation's random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = decimal::read::<u64>)]
    seed: u64,
}

impl LoadArgs {
    fn load(&self) -> Load {
        let load = Load {
            prove_seconds: self.seconds,
            verify_seconds: self.verify_seconds,
            proof_bytes: self.proof_size.as_u64(),
            committee_bytes: self.committee_size.as_u64(),
            signatures_bytes: self.signatures_size.as_u64(),
            key_bytes: self.key_size.as_u64(),
            batch: 1,
            rate: self.rate,
        };
        Load { batch: self.batch.unwrap_or_else(|| load.usual_batch()), ..load }
    }
}

impl FleetArgs {
    fn fleet(&self) -> Fleet {
        let failures = self.hours_between_failures.map(|hours| Failures {
            mean_seconds: hours * HOUR,
            restart_seconds: self.restart_seconds,
        });
        Fleet {
            workers: self.workers,
            slots: self.slots,
            store: StoreLink {
                bytes_per_second: self.store_gbit * GBIT,
                request_seconds: self.store_seconds,
            },
            server: Server {
                transitions_per_second: self.server_limit,
                request_seconds: self.server_seconds,
            },
            failures,
            regions: self.regions,
        }
    }
}

pub(super) fn run(args: &SizeArgs) -> Result<(), Error> {
    let (load, fleet) = (args.load.load(), args.fleet.fleet());
    let TrialArgs { play, warm_up, cold, seed } = args.trial;
    let trial = Trial { seconds: play, warm_up, is_cold: cold };
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let paper = Demand::of(&load, &fleet).map_err(Error::Usage)?;
    let played = simulate(&load, &fleet, &trial, || rng.r#gen::<f64>()).map_err(Error::Usage)?;
    let text = if args.json {
        let mut object = json!({ "paper": paper, "played": played });
        object["played"]["keeps_up"] = played.keeps_up().into();
        object.to_string()
    } else {
        text(&paper, &played, args.trial.cold)
    };
    Ok(print(&text)?)
}

/// As many digits as say something.
fn number_text(number: f64) -> String {
    if number.abs() < 10.0 && number.fract() != 0.0 {
        format!("{number:.2}")
    } else {
        format!("{number:.0}")
    }
}

fn text(paper: &Demand, played: &Report, is_cold: bool) -> String {
    let mut lines = vec![format!("{:<40}{:>12}{:>12}", "", "on paper", "played")];
    let mut line = |what: &str, paper: Option<f64>, played: Option<f64>| {
        let number = |number: Option<f64>| number.map(number_text).unwrap_or_default();
        let line = format!("{what:<40}{:>12}{:>12}", number(paper), number(played));
        lines.push(line.trim_end().to_owned());
    };
    line("all regions", None, None);
    line("  proofs a second, at most", Some(paper.capacity), None);
    line("  workers that would be busy all the time", Some(paper.workers), None);
    let busy = paper.utilisation_without_a_region.map(|part| 100.0 * part);
    if busy.is_some() {
        line("  workers busy without a region, %", busy, None);
    }
    line("a region", None, None);
    line("  proofs a second", None, Some(played.throughput));
    let busy = (100.0 * paper.utilisation, 100.0 * played.utilisation);
    line("  workers busy, %", Some(busy.0), Some(busy.1));
    line("  seconds of a job: alone, median", Some(paper.seconds_alone), played.median_seconds);
    line("  seconds of a job: 99 of 100", None, played.p99_seconds);
    line("  workflows a second", Some(paper.workflows), None);
    line("  state transitions of a workflow", Some(paper.transitions_of_workflow), None);
    line("  state transitions a second", Some(paper.transitions), Some(played.transitions));
    line("  billed actions a second", Some(paper.actions), None);
    line("  histories, MB a second", Some(paper.history_bytes / MB), None);
    line("  store: reads a second", Some(paper.store.reads), None);
    line("  store: writes a second", Some(paper.store.writes), None);
    line("  store: removals a second", Some(paper.store.removals), None);
    line("  store: MB a second in", Some(paper.store.bytes_in / MB), None);
    line("  store: MB a second out", Some(paper.store.bytes_out / MB), None);
    line("  cold start, seconds", Some(paper.cold_start), played.loaded_at.filter(|_| is_cold));
    if played.failures > 0 {
        line("  workers that failed", None, Some(played.failures as f64));
        line("  activities begun once more", None, Some(played.retries as f64));
        line("  proofs in vain", None, Some(played.in_vain as f64));
    }
    line("  jobs that wait or are at work", None, Some(played.waiting as f64));
    lines.extend(paper.shortfalls.iter().map(|shortfall| format!("not enough: {shortfall}")));
    if !played.keeps_up() {
        lines.push(format!("played: each second {:.0} more jobs are left over", played.growth));
    }
    lines.join("\n")
}
