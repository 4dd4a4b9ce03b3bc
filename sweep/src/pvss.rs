//! Rows of `muster pvss sweep`: the time of dealing, verification, sums and decryption over sizes.

use std::{fmt, time::Duration};

use muster_threshold::pvss::{dlog::Search, measure::Bench, Shape, SIGNATURE_BYTES};
use rand::rngs::OsRng;
use serde::{Deserialize, Serialize};

use crate::{
    memory,
    plot::{names, power, Groups, Kind, Line, Panel, Plot, Point, UNMEASURED},
    rounded, Error, PlotOf, Results, MICROSECONDS,
};

/// What is too short to be measured is at the clock's end.
const SHORTEST: f64 = 1e-6;

/// What a row is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// How the secret is shared.
    pub shape: Shape,
    /// Threads that compute.
    pub threads: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = &self.shape;
        write!(out, "{} {}/{}", shape.variant(), shape.threshold(), shape.shares())
    }
}

/// What the rows of a sweep have in common.
#[derive(Debug)]
pub struct Settings {
    /// How decryption finds chunks.
    pub search: Search,
    /// Runs per median.
    pub repeat: usize,
    /// Dealings that are verified at once.
    pub batch: usize,
}

/// A row. The order of the fields is that of the columns in the CSV. Times are medians.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub(crate) variant: String,
    pub(crate) chunk_bits: u32,
    pub(crate) threshold: usize,
    pub(crate) shares: usize,
    pub(crate) players: usize,
    pub(crate) heaviest: usize,
    pub(crate) threads: usize,
    pub(crate) bytes: usize,
    pub(crate) deal_ms: f64,
    pub(crate) deal_kept_ms: f64,
    pub(crate) encode_ms: f64,
    pub(crate) verify_ms: f64,
    pub(crate) decode_verify_ms: f64,
    pub(crate) add_ms: f64,
    pub(crate) decrypt_ms: f64,
    pub(crate) decrypt_heaviest_ms: f64,
    /// Of a player on average; rows of earlier versions do not have it.
    #[serde(default)]
    pub(crate) decrypt_random_ms: f64,
    pub(crate) decrypt_166_ms: f64,
    pub(crate) verify_all_ms: f64,
    /// Most memory that the process has held so far.
    pub(crate) peak_bytes: u64,
}

impl crate::Row for Row {
    const COLUMNS: &'static str = "variant,chunk_bits,threshold,shares,players,heaviest,threads,\
        bytes,deal_ms,deal_kept_ms,encode_ms,verify_ms,decode_verify_ms,add_ms,decrypt_ms,\
        decrypt_heaviest_ms,decrypt_random_ms,decrypt_166_ms,verify_all_ms,peak_bytes";
    const PLOTS: &'static [PlotOf<Self>] = &[("svg", plot)];
    type Case = Case;
    type Settings = Settings;

    fn is_of(&self, case: &Case) -> bool {
        let Case { shape, threads } = case;
        self.variant == shape.variant().to_string()
            && self.chunk_bits == shape.chunk_bits()
            && self.threshold == shape.threshold()
            && (self.shares, self.players) == (shape.shares(), shape.players())
            && self.threads == *threads
    }

    /// Dealings and verifications, a step a share.
    fn seconds(case: &Case, settings: &Settings) -> f64 {
        0.2 + 2e-3 * case.shape.shares() as f64 * (settings.repeat + settings.batch) as f64
    }

    /// Refuses threads that cannot be had, and what dealing and decryption refuse.
    fn measure(case: &Case, settings: &Settings) -> Result<Self, Error> {
        let (Case { shape, threads }, Settings { search, repeat, batch }) = (case, settings);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(*threads).build();
        let pool = pool.map_err(|error| Error::usage(format!("--threads: {error}")))?;
        let failed = |found: muster_threshold::pvss::Error| Error::usage(found.to_string());
        let bench = Bench::new(shape.clone(), &mut OsRng).map_err(failed)?;
        let measure = || bench.times(search, *repeat, *batch, &mut OsRng);
        let times = pool.install(measure).map_err(failed)?;
        let milliseconds = |time: Duration| rounded(time.as_secs_f64() * 1e3, MICROSECONDS / 1e3);
        Ok(Self {
            variant: shape.variant().to_string(),
            chunk_bits: shape.chunk_bits(),
            threshold: shape.threshold(),
            shares: shape.shares(),
            players: shape.players(),
            heaviest: shape.slots(),
            threads: *threads,
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
            peak_bytes: memory::peak().unwrap_or_default(),
        })
    }

    fn outcome(&self) -> String {
        let Self { deal_ms, verify_ms, decrypt_ms, .. } = self;
        format!("deal {deal_ms:.1} ms, verify {verify_ms:.1} ms, decrypt {decrypt_ms:.1} ms")
    }
}

/// What another system took, measured beside ours: one core of an AMD EPYC (Zen 4, 2.6 GHz), medians, 2026-11-26; see
/// `threshold/README.md` for what each leaves out.
struct Peer {
    /// What the legend calls it, with the commit or version of its code.
    name: &'static str,
    /// By number of shares.
    figures: &'static [Figure],
}

/// One size of a system. Verification does not include decoding.
struct Figure {
    shares: f64,
    size_kib: f64,
    deal_ms: f64,
    verify_ms: f64,
}

/// The marker of a kind, and its value for another system.
type Theirs = (usize, fn(&Figure) -> f64);

const fn figure(shares: f64, size_kib: f64, deal_ms: f64, verify_ms: f64) -> Figure {
    Figure { shares, size_kib, deal_ms, verify_ms }
}

const PEERS: [Peer; 5] = [
    Peer {
        name: "Groth21, 16-bit chunks (groth21-rs 018c2a91)",
        figures: &[figure(128.0, 135.3, 495.0, 310.0), figure(256.0, 265.3, 994.0, 600.0)],
    },
    Peer {
        name: "cgVSS (cgdkg_artifact 387b3274)",
        figures: &[figure(128.0, 70.5, 1078.0, 343.0), figure(256.0, 140.2, 2100.0, 604.0)],
    },
    Peer {
        name: "Cascudo-David (cgdkg_artifact 387b3274)",
        figures: &[figure(256.0, 55.3, 3576.0, 1626.0)],
    },
    Peer {
        name: "GHL21e, bulletproofs alone (cpp-lwevss a40befa7)",
        figures: &[figure(128.0, 192.6, 10417.0, 987.0), figure(256.0, 201.8, 11122.0, 1010.0)],
    },
    Peer {
        name: "Golden (commonware 2026.10.0)",
        figures: &[figure(128.0, 44.6, 256214.0, 21300.0), figure(256.0, 86.6, 507180.0, 42373.0)],
    },
];

/// Times and sizes of the rows that one thread made, against the number of shares; other systems as hollow points.
fn plot(results: &Results<Row>) -> Plot {
    let own = results.groups(|row| (row.threads == 1).then(|| row.variant.clone()));
    let times: [Kind<Row>; 3] = [
        (0, |row| Some((row.deal_ms / 1e3).max(SHORTEST))),
        (1, |row| Some((row.verify_ms / 1e3).max(SHORTEST))),
        (2, |row| Some((row.decode_verify_ms / 1e3).max(SHORTEST))),
    ];
    let sizes: [Kind<Row>; 1] = [(3, |row| Some(row.bytes as f64 / 1024.0))];
    let panels = [
        panel(
            &own,
            ("Time", "seconds"),
            &times,
            &[(0, |peer| peer.deal_ms / 1e3), (1, |peer| peer.verify_ms / 1e3)],
        ),
        panel(&own, ("Size of a dealing", "KiB"), &sizes, &[(3, |peer| peer.size_kib)]),
    ];
    let peers = PEERS.iter().map(|peer| peer.name.to_owned());
    Plot {
        title: "Publicly verifiable sharing, one thread",
        notes: &["hollow: other systems, on one core of an AMD EPYC (Zen 4), 2026-11-26"],
        empty: UNMEASURED,
        panels,
        colours: ("scheme", own.names.into_iter().chain(peers).collect()),
        markers: ("measure", names(["deal", "verify", "decode + verify", "size"])),
    }
}

/// Kinds of ours, and of other systems, in colours after ours.
fn panel(
    own: &Groups<'_, Row>,
    (title, y): (&'static str, &'static str),
    kinds: &[Kind<Row>],
    theirs: &[Theirs],
) -> Panel {
    let hollow = PEERS.iter().enumerate().map(|(place, peer)| {
        let points = theirs.iter().flat_map(|(marker, value)| {
            let point = |of: &Figure| Point::new(of.shares.log2(), value(of), *marker);
            peer.figures.iter().map(point)
        });
        Line { colour: own.names.len() + place, points: points.collect() }
    });
    let lines = own.lines(|row| (row.shares as f64).log2(), kinds);
    Panel { y, hollow: hollow.collect(), ..Panel::new(title, "shares", power, lines) }
}
