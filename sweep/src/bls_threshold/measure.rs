//! A row, measured.

use std::time::Instant;

use muster_threshold::bls::{
    lagrange::{Domain, Method},
    Ciphersuite, Error as Fault, Synthetic,
};
use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};

use super::row::{Ask, Row};
use super::suite::Task;
use crate::{median, rounded, Error, NANOSECONDS};

/// What is signed: no secret is at stake.
const MESSAGE: &[u8] = b"muster bls-threshold sweep";
/// Seconds that short runs are repeated for.
const LEAST_TIME: f64 = 0.3;
/// Most runs.
const MOST_RUNS: usize = 200;

/// The measurement of a row.
#[derive(Debug)]
pub struct Measure<'a> {
    /// What it is asked for.
    pub ask: &'a Ask,
    /// The fewest runs of which a median is taken.
    pub repeat: u64,
    /// The most seconds that the naive method may take.
    pub naive_limit: f64,
}

/// Seconds of one run.
#[derive(Default)]
struct Times {
    lagrange: Vec<f64>,
    combination: Vec<f64>,
    verification: Vec<f64>,
    aggregate: Vec<f64>,
}

impl Task for Measure<'_> {
    type Output = Result<Row, Error>;

    fn run<S: Ciphersuite<Signed = [u8]>>(self) -> Result<Row, Error> {
        let Ask { suite, identities, threshold, threads } = *self.ask;
        let failed = |fault: Fault| Error::usage(format!("--t: {fault}"));
        let start = Instant::now();
        let domain = Synthetic::<S>::domain(identities, self.ask.signers()).map_err(failed)?;
        let domain_s = rounded(start.elapsed().as_secs_f64(), NANOSECONDS);
        let mut rng = ChaCha20Rng::seed_from_u64(threshold as u64);
        let shares = Synthetic::<S>::new(&domain, threshold, MESSAGE, &mut rng).map_err(failed)?;
        let method = Method::fastest(identities, threshold, self.ask.signers());
        let fast = self.times(&domain, &shares, method)?;
        let naive = if self.ask.naive() <= self.naive_limit {
            Some(self.times(&domain, &shares, Method::Naive)?)
        } else {
            None
        };
        let (naive_lagrange, naive_aggregate) =
            naive.map(|times| (middle(times.lagrange), middle(times.aggregate))).unzip();
        Ok(Row {
            suite,
            identities,
            threshold,
            signers: self.ask.signers(),
            threads,
            method: method.name().to_owned(),
            domain_s,
            lagrange_s: middle(fast.lagrange),
            combination_s: middle(fast.combination),
            verification_s: middle(fast.verification),
            aggregate_s: middle(fast.aggregate),
            naive_lagrange_s: naive_lagrange,
            naive_aggregate_s: naive_aggregate,
            repeat: self.repeat,
        })
    }
}

impl Measure<'_> {
    fn times<S: Ciphersuite<Signed = [u8]>>(
        &self,
        domain: &Domain<S::Scalar>,
        shares: &Synthetic<S>,
        method: Method,
    ) -> Result<Times, Error> {
        let failed = |fault: Fault| Error::usage(format!("--t: {fault}"));
        // A run that is long enough for its time to be sure of is not repeated in the naive method.
        let least = if method == Method::Naive { 1 } else { self.repeat as usize };
        let (mut times, mut spent) = (Times::default(), 0.0);
        while times.aggregate.len() < least
            || (spent < LEAST_TIME && times.aggregate.len() < MOST_RUNS)
        {
            let start = Instant::now();
            let coefficients = domain.coefficients_by(method, &shares.signers).map_err(failed)?;
            let computed = start.elapsed().as_secs_f64();
            let signature = shares.combine(&coefficients);
            let combined = start.elapsed().as_secs_f64();
            let good = signature.is_some_and(|signature| shares.key.verify(MESSAGE, &signature));
            let done = start.elapsed().as_secs_f64();
            if !good {
                let reason = format!("the signature by the method {} is bad", method.name());
                return Err(Error::usage(reason));
            }
            times.lagrange.push(computed);
            times.combination.push(combined - computed);
            times.verification.push(done - combined);
            times.aggregate.push(done);
            spent += done;
        }
        Ok(times)
    }
}

/// The median of short times.
fn middle(seconds: Vec<f64>) -> f64 {
    median(seconds, NANOSECONDS)
}
