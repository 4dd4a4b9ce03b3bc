//! How large a farm has to be: on paper, and by a simulation that corrects the calculation on paper.
//!
//! A [`Load`] is what comes in, a [`Fleet`] what there is. [`Demand`] is what the one asks of the other, by closed
//! formulas; [`simulate`] plays it, with random arrivals, queues, machines that crash, and a server that makes only
//! so many state transitions a second. Seconds and rates are `f64`, sizes are bytes.
//!
//! Both only compute with the numbers they are given: how many seconds a proof takes has to be measured.

mod counts;
mod model;
mod simulation;
#[cfg(test)]
mod tests;

pub use counts::{Requests, BEAT_SECONDS, EVENTS, HEARTBEAT_SECONDS, TRANSITIONS};
pub use model::{Demand, Shortfall};
pub use simulation::{simulate, Report, Trial};

/// Larger fleets are not simulated: each worker takes memory.
const MOST_WORKERS: u32 = 100_000;
/// The most that a worker does at once.
const MOST_SLOTS: u32 = 64;

/// Jobs that come in, all of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Seconds of a proof on all cores of a worker, with its witness.
    pub prove_seconds: f64,
    /// Seconds of verifying a proof, likewise.
    pub verify_seconds: f64,
    /// Bytes of a proof's file, as the store has it: a little more than twice those of the proof.
    pub proof_bytes: u64,
    /// Bytes of the committee's file.
    pub committee_bytes: u64,
    /// Bytes of the file of signatures.
    pub signatures_bytes: u64,
    /// Bytes of the key's files and of the SRS, which each worker fetches from the store.
    pub key_bytes: u64,
    /// Jobs in a workflow.
    pub batch: u32,
    /// Jobs a second.
    pub rate: f64,
}

/// Machines, and what they share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fleet {
    /// Workers, in all regions.
    pub workers: u32,
    /// Workflows that a worker proves for at once, and proofs that it makes at once: `muster-farm worker --slots`.
    pub slots: u32,
    /// The store of a region.
    pub store: StoreLink,
    /// Temporal's server of a region.
    pub server: Server,
    /// How workers fail, if they do.
    pub failures: Option<Failures>,
    /// Regions, each with an equal part of workers and jobs, and a store and a server of its own.
    pub regions: u32,
}

/// The connection to a store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoreLink {
    /// Bytes a second that all workers of a region share.
    pub bytes_per_second: f64,
    /// Seconds of a request without its bytes.
    pub request_seconds: f64,
}

/// A Temporal server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Server {
    /// State transitions that it can make a second; none if it is never the bottleneck.
    pub transitions_per_second: Option<f64>,
    /// Seconds of a request to it while it is idle.
    pub request_seconds: f64,
}

/// How workers fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failures {
    /// Seconds between two failures of a worker on average.
    pub mean_seconds: f64,
    /// Seconds until a worker that failed is back, without its keys.
    pub restart_seconds: f64,
}

impl Load {
    /// Whether the numbers make sense.
    ///
    /// # Errors
    ///
    /// The one that does not.
    pub fn check(&self) -> Result<(), String> {
        positive("seconds of a proof", self.prove_seconds)?;
        not_negative("seconds of a verification", self.verify_seconds)?;
        positive("jobs a second", self.rate)?;
        at_least_one("jobs of a workflow", self.batch)
    }

    /// Workflows a second.
    pub fn workflows(&self) -> f64 {
        self.rate / f64::from(self.batch)
    }
}

impl Fleet {
    /// Whether the numbers make sense. A fleet may have no workers; nothing is proven then.
    ///
    /// # Errors
    ///
    /// The one that does not.
    pub fn check(&self) -> Result<(), String> {
        at_least_one("proofs at once", self.slots)?;
        at_least_one("regions", self.regions)?;
        at_most("workers", self.workers, MOST_WORKERS)?;
        at_most("proofs at once", self.slots, MOST_SLOTS)?;
        positive("bytes a second of the store", self.store.bytes_per_second)?;
        not_negative("seconds of a request to the store", self.store.request_seconds)?;
        not_negative("seconds of a request to the server", self.server.request_seconds)?;
        if let Some(limit) = self.server.transitions_per_second {
            positive("state transitions a second", limit)?;
        }
        if let Some(failures) = self.failures {
            not_negative("seconds until a worker is back", failures.restart_seconds)?;
            // Otherwise hardly anything but failures would happen.
            if !(failures.mean_seconds >= 1.0 && failures.mean_seconds.is_finite()) {
                let found = failures.mean_seconds;
                return Err(format!("seconds between failures: {found} is less than 1"));
            }
        }
        Ok(())
    }

    /// Workers of a region: of the smallest one, if regions differ.
    pub fn workers_of_region(&self) -> u32 {
        self.workers / self.regions.max(1)
    }
}

fn positive(what: &str, number: f64) -> Result<(), String> {
    if number > 0.0 && number.is_finite() {
        Ok(())
    } else {
        Err(format!("{what}: {number} is not above 0"))
    }
}

fn not_negative(what: &str, number: f64) -> Result<(), String> {
    if number >= 0.0 && number.is_finite() {
        Ok(())
    } else {
        Err(format!("{what}: {number} is not 0 or more"))
    }
}

fn at_most(what: &str, number: u32, most: u32) -> Result<(), String> {
    if number > most {
        return Err(format!("{what}: {number} is more than {most}"));
    }
    Ok(())
}

fn at_least_one(what: &str, number: u32) -> Result<(), String> {
    if number == 0 {
        return Err(format!("{what}: 0 is less than 1"));
    }
    Ok(())
}
