//! Times of sharing: one session, all its operations, medians.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use ff::Field as _;
use group::Group as _;
use rand_core::CryptoRngCore;

use super::{
    deal, decrypt, dlog::Search, verify, verify_all, Dealt, Error, Parameters, SecretKeys, Session,
    Shape, Srs, Subtranscript, Verified,
};
use crate::pairing_curve::{Fr, G1Projective};

/// Most dealings that are added up before a decryption is measured.
const DEALINGS: usize = 166;

/// A session with all its players' secrets, for measurements.
#[derive(Debug)]
pub struct Bench {
    session: Session,
    keys: Vec<SecretKeys>,
}

/// Medians.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Dealing, with the tables of the players' keys made again.
    pub deal: Duration,
    /// Dealing with those tables kept from an earlier one.
    pub deal_kept: Duration,
    /// Encoding a dealing's points.
    pub encode: Duration,
    /// Verification of a decoded dealing.
    pub verify: Duration,
    /// Decoding with subgroup tests and the signature, and verification.
    pub decode_and_verify: Duration,
    /// Adding a dealing to a sum.
    pub add: Duration,
    /// Decryption of a share of one dealing.
    pub decrypt: Duration,
    /// Decryption of the shares of the player with the largest weight.
    pub decrypt_heaviest: Duration,
    /// Decryption of all shares of a player, on average over the players.
    pub decrypt_random: Duration,
    /// Decryption of a share of 166 dealings.
    pub decrypt_sum: Duration,
    /// Verification of several dealings at once, per dealing; zero if not requested.
    pub verify_all: Duration,
}

/// A moment in a measurement: in the thread's own time if there is one thread and the system
/// provides it, so that other processes do not count; by the wall clock otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    wall: Instant,
    own: Option<Duration>,
}

impl Clock {
    /// This moment.
    pub fn now() -> Self {
        Self { wall: Instant::now(), own: own_time() }
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        match (self.own, own_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }
}

/// The time that this thread has run so far.
fn own_time() -> Option<Duration> {
    if rayon::current_num_threads() > 1 {
        return None;
    }
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The time of an addition in G1 by blst, for comparing machines.
pub fn addition() -> Duration {
    let step = G1Projective::generator().double();
    let (mut sum, runs) = (G1Projective::generator(), 100_000);
    let start = Clock::now();
    for _ in 0..runs {
        sum += std::hint::black_box(&step);
    }
    std::hint::black_box(sum);
    start.elapsed() / runs
}

/// Least time of a run: short ones are repeated, since the system accounts time in steps of
/// milliseconds.
const LEAST: Duration = Duration::from_millis(60);

/// The median of some runs.
fn median<T>(runs: usize, mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut times = Vec::with_capacity(runs);
    loop {
        let (start, mut repeated) = (Clock::now(), 0);
        let last = loop {
            let last = run();
            repeated += 1;
            if start.elapsed() >= LEAST {
                break last;
            }
        };
        times.push(start.elapsed() / repeated);
        if times.len() >= runs.max(1) {
            times.sort_unstable();
            return (times[times.len() / 2], last);
        }
    }
}

impl Bench {
    /// A session with fresh keys and an insecure reference string.
    ///
    /// # Errors
    ///
    /// As [`Session::new`].
    pub fn new(shape: Shape, rng: &mut impl CryptoRngCore) -> Result<Self, Error> {
        let srs = Srs::insecure(shape.domain(), rng)?;
        let parameters = Parameters::new(&srs, shape.domain())?;
        Self::with(shape, parameters, rng)
    }

    /// The same with other parameters: for the shape's domain, or for a larger one to compare it
    /// with.
    ///
    /// # Errors
    ///
    /// As [`Session::new`], and [`Error::SrsSize`] for a smaller one.
    pub fn with(
        shape: Shape,
        parameters: Arc<Parameters>,
        rng: &mut impl CryptoRngCore,
    ) -> Result<Self, Error> {
        if parameters.domain() < shape.domain() {
            let (needed, found) = (shape.domain(), parameters.domain());
            return Err(Error::SrsSize { needed, found });
        }
        let keys: Vec<SecretKeys> =
            (0..shape.players()).map(|_| SecretKeys::generate(&mut *rng)).collect();
        let bundles: Vec<_> = keys.iter().map(|keys| keys.publish(&mut *rng)).collect();
        let session = Session::over(shape, &bundles, parameters, 1, b"bench")?;
        Ok(Self { session, keys })
    }

    /// The players' secrets, in order.
    pub fn keys(&self) -> &[SecretKeys] {
        &self.keys
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// A dealing of the first player.
    ///
    /// # Errors
    ///
    /// As [`deal`].
    pub fn deal(&self, rng: &mut impl CryptoRngCore) -> Result<Dealt, Error> {
        deal(&self.session, 1, &self.keys[0], &Fr::random(&mut *rng), rng)
    }

    /// Dealings of the first `count` players.
    ///
    /// # Errors
    ///
    /// As [`deal`].
    pub fn dealings(
        &self,
        count: usize,
        rng: &mut impl CryptoRngCore,
    ) -> Result<Vec<Dealt>, Error> {
        let deal = |dealer: usize| {
            let secret = Fr::random(&mut *rng);
            deal(&self.session, dealer, &self.keys[dealer - 1], &secret, &mut *rng)
        };
        (1..=count).map(deal).collect()
    }

    /// Measures everything with `runs` runs, and `batch` dealings verified at once.
    ///
    /// # Errors
    ///
    /// As the operations.
    pub fn times(
        &self,
        search: &Search,
        runs: usize,
        batch: usize,
        rng: &mut impl CryptoRngCore,
    ) -> Result<Times, Error> {
        let session = &self.session;
        // Tables of the reference string belong to the string, and are made once.
        let first = self.deal(rng)?;
        let deal = median(runs, || {
            let anew = Self { session: session.without_tables(), keys: self.keys.clone() };
            anew.deal(rng).is_ok()
        });
        let mut times = Times { deal: deal.0, ..Times::default() };
        times.deal_kept = median(runs, || self.deal(rng)).0;
        times.encode = median(runs, || first.encode()).0;
        let (time, verdict) = median(runs, || verify(session, &first));
        times.verify = time;
        let verified = verdict?;
        let bytes = first.as_bytes();
        let decode = || verify(session, &Dealt::from_bytes(session, 1, bytes)?);
        times.decode_and_verify = median(runs, decode).0;
        let one = Subtranscript::from(&verified);
        times.add = median(runs, || one.plus_unchecked(&one)).0;
        self.decryptions(&verified, search, runs, &mut times)?;
        if batch > 0 {
            let dealings = self.dealings(batch.min(self.keys.len()), rng)?;
            let (time, verdicts) = median(1, || verify_all(session, &dealings));
            verdicts.into_iter().try_for_each(|verdict| verdict.map(drop))?;
            times.verify_all = time / dealings.len() as u32;
        }
        Ok(times)
    }

    fn decryptions(
        &self,
        verified: &Verified,
        search: &Search,
        runs: usize,
        times: &mut Times,
    ) -> Result<(), Error> {
        let session = &self.session;
        let weights = session.shape().weights();
        let light = weights.iter().position(|weight| *weight == 1).unwrap_or(0);
        let heavy = (0..weights.len()).max_by_key(|player| weights[*player]).unwrap_or(0);
        let one = Subtranscript::from(verified);
        let open = |sum: &Subtranscript, player: usize| {
            decrypt(session, sum, player + 1, &self.keys[player], search)
        };
        open(&one, light)?;
        let share = |time: Duration, player: usize| time / weights[player].max(1);
        times.decrypt = share(median(runs, || open(&one, light)).0, light);
        times.decrypt_heaviest = median(runs, || open(&one, heavy)).0;
        let everybody = || (0..weights.len()).all(|player| open(&one, player).is_ok());
        times.decrypt_random = median(1, everybody).0 / weights.len() as u32;
        // It counts as one of many dealings: a dealing added to itself, with the right keys.
        let sum = (1..DEALINGS).fold(one.clone(), |sum, _| sum.plus_unchecked(&one));
        open(&sum, light)?;
        times.decrypt_sum = share(median(runs, || open(&sum, light)).0, light);
        Ok(())
    }
}
