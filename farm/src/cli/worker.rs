//! `muster-farm worker`, and `child`, the process that proves for it.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use bytesize::ByteSize;
use muster_prover::{decimal, Memory};
use tracing_subscriber::EnvFilter;

use super::options::{means, threads, CacheArgs, CodecArgs, FarmArgs};
use crate::{
    child::serve,
    metrics::Metrics,
    temporal::{connect, work, Server, WorkerOptions},
    workshop::{Place, Workshop},
    Digest, Error,
};

/// Prove for a farm until told to stop.
///
/// Each key is loaded once, in a process of its own that ends with this one. A worker that finds
/// itself at fault (a full disk, a codec key other than the farm's) stops and says why; its jobs go
/// to others. No job can make it stop.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster-farm worker --store /mnt/farm --address farm.example.org:7233 --max-memory 24G")]
pub(super) struct WorkerArgs {
    #[command(flatten)]
    store: FarmArgs,
    #[command(flatten)]
    codec: CodecArgs,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    server: Server,
    /// Memory that its proofs may take: jobs that are predicted to take more are left to others.
    #[arg(long, value_name = "SIZE", default_value = "24G")]
    max_memory: ByteSize,
    /// Proofs at once: a number, or auto for one for each core, up to 4.
    #[arg(long, value_name = "N", default_value = "auto", value_parser = slots)]
    slots: usize,
    /// Serve Prometheus metrics of jobs, times and memory, and those of Temporal's SDK, at
    /// http://ADDRESS/metrics.
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Log as lines of JSON.
    #[arg(long)]
    log_json: bool,
    /// Seconds that running jobs have to finish once the worker is told to stop.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = decimal::read::<u64>)]
    grace: u64,
}

/// Make proofs as standard input asks for them. Workers start this command themselves.
#[derive(Debug, clap::Args)]
pub(super) struct ChildArgs {
    /// Folder with keys and their SRS.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// Digest that the verifying key must have.
    #[arg(long, value_name = "DIGEST")]
    key: Digest,
    /// Keep more between proofs, which makes them faster.
    #[arg(long)]
    fast: bool,
}

/// More proofs at once than this gain nothing: they share the cores.
const MOST_SLOTS: usize = 4;

/// Reads how many proofs are made at once.
fn slots(text: &str) -> Result<usize, &'static str> {
    match text {
        "auto" => Ok(threads().clamp(1, MOST_SLOTS)),
        _ => decimal::read(text).ok().filter(|count| *count > 0).ok_or("neither a number nor auto"),
    }
}

pub(super) async fn run(args: &WorkerArgs) -> Result<(), Error> {
    let seal = args.codec.seal()?;
    let store = args.store.open_with(seal.clone()).await?;
    let (cache, _folder) = args.cache.open(store)?;
    let metrics = args.metrics.map(Metrics::serve).transpose()?.unwrap_or_default();
    let memory = args.max_memory.as_u64();
    let workshop =
        Workshop::new(cache, means(Place::Children, memory, args.slots, metrics.clone())?)?;
    let client = connect(&args.server, seal).await?;
    let grace = Duration::from_secs(args.grace);
    let options = WorkerOptions { memory, slots: args.slots, grace, metrics };
    log(args.log_json);
    tracing::info!(slots = args.slots, memory, "working");
    work(client, workshop, options, told_to_stop()).await
}

/// What happens goes to standard error: `RUST_LOG` says how much of it.
fn log(json: bool) {
    let filter = EnvFilter::try_from_default_env();
    let filter = filter.unwrap_or_else(|_| EnvFilter::new("warn,muster_farm=info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let log = log.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()));
    if json {
        log.json().init();
    } else {
        log.init();
    }
}

/// Waits for SIGTERM, or for an interrupt from the terminal.
async fn told_to_stop() {
    let interrupt = async {
        // Without the signal, nobody can tell it to stop in an orderly way.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{signal, SignalKind};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                () = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    interrupt.await;
}

pub(super) fn prove(args: &ChildArgs) -> Result<(), Error> {
    serve(&args.keys, args.key, if args.fast { Memory::Fast } else { Memory::Low })
}
