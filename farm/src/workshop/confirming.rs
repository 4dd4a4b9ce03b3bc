//! Verifying what a worker made, by somebody else.

use std::{collections::BTreeMap, path::Path};

use futures::future::try_join_all;
use muster_prover::cli::{elsewhere::Record, simulate::Simulated};
use serde::{Deserialize, Serialize};

use super::Workshop;
use crate::{
    job::{Claim, Job, JobName, Simulate, SweepRow, Verify, Work},
    metrics::Phase,
    store::Stored,
    work::{verify_all, Fault},
    Digest, Error,
};

/// What came of verifying what a worker made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirmed {
    /// The store has the result for good.
    Yes,
    /// It is no result of the job, and why.
    No(String),
}

/// Bytes that are to be a proof of a claim.
struct Told<'a> {
    claim: &'a Claim,
    bytes: bytes::Bytes,
}

/// What the store has of a job.
enum Found {
    Verified,
    Made(bytes::Bytes),
    Nothing,
}

impl Workshop {
    /// Verifies what workers made of jobs, proofs of a key together, and keeps for good what holds.
    ///
    /// # Errors
    ///
    /// Those of the store, and of keys that cannot be had: nothing is said of any job.
    pub async fn confirm(&self, jobs: &[Job]) -> Result<Vec<Confirmed>, Error> {
        // Not while something is measured.
        let _turn = self.floor.read().await;
        let mut confirmed: Vec<Option<Confirmed>> = vec![None; jobs.len()];
        let (mut proofs, mut verdicts) = (vec![], vec![]);
        let found = try_join_all(jobs.iter().map(|job| self.look(job.name()))).await?;
        for ((place, job), found) in jobs.iter().enumerate().zip(found) {
            let bytes = match found {
                Found::Verified => {
                    confirmed[place] = Some(Confirmed::Yes);
                    continue;
                }
                Found::Nothing => {
                    confirmed[place] = Some(Confirmed::No("there is none in the store".into()));
                    continue;
                }
                Found::Made(bytes) => bytes,
            };
            match &job.work {
                Work::Prove(prove) => proofs.push((place, Told { claim: &prove.claim, bytes })),
                other => {
                    verdicts.push((place, self.other(other, &bytes).await?, bytes));
                }
            }
        }
        let (places, told): (Vec<_>, Vec<_>) = proofs.into_iter().unzip();
        let held = self.hold(&told).await?;
        let proofs = places.into_iter().zip(held).zip(told);
        verdicts.extend(proofs.map(|((place, verdict), told)| (place, verdict, told.bytes)));
        let settled = verdicts.into_iter().map(|(place, verdict, bytes)| async move {
            Ok::<_, Error>((place, self.settle(&jobs[place], verdict, bytes).await?))
        });
        for (place, one) in try_join_all(settled).await? {
            confirmed[place] = Some(one);
        }
        let forget = |job: &Job| {
            let name = job.name();
            async move { self.store().forget_made(&name).await }
        };
        try_join_all(jobs.iter().map(forget)).await?;
        Ok(confirmed.into_iter().flatten().collect())
    }

    /// What the store has of a job.
    async fn look(&self, name: JobName) -> Result<Found, Error> {
        if self.store().result(&name).await?.is_some() {
            return Ok(Found::Verified);
        }
        Ok(self.store().made(&name).await?.map_or(Found::Nothing, Found::Made))
    }

    /// Verifies the proofs of a node's children, and says what the node is to say, or which child has no result or one that
    /// does not hold.
    ///
    /// # Errors
    ///
    /// As [`Self::confirm`].
    pub(super) async fn node(&self, verify: &Verify) -> Result<Result<String, String>, Error> {
        let lacks = |name: &JobName| Ok(Err(format!("{name} has no result in the store")));
        for name in &verify.nodes {
            if self.store().result(name).await?.is_none() {
                return lacks(name);
            }
        }
        let mut told = vec![];
        for claim in &verify.claims {
            let name = claim.name();
            let Some(bytes) = self.store().result(&name).await? else { return lacks(&name) };
            told.push(Told { claim, bytes });
        }
        for (told, verdict) in told.iter().zip(self.hold(&told).await?) {
            if let Err(reason) = verdict {
                return Ok(Err(format!("the proof {}: {reason}", told.claim.name())));
            }
        }
        Ok(Ok(serde_json::to_string(&verify.verified()).expect("names") + "\n"))
    }

    /// Of each proof whether it holds; those of a key are verified together.
    async fn hold(&self, told: &[Told<'_>]) -> Result<Vec<Result<(), String>>, Error> {
        let mut by_key: BTreeMap<Digest, Vec<usize>> = BTreeMap::new();
        for (place, one) in told.iter().enumerate() {
            by_key.entry(one.claim.key).or_default().push(place);
        }
        let mut verdicts = vec![Ok(()); told.len()];
        for (key, places) in by_key {
            let key = match self.verifier(key).await {
                Ok(key) => key,
                // Nobody else would find more: the store is the same for all.
                Err(error) if matches!(Fault::from(&error), Fault::BadInput(_)) => {
                    places.iter().for_each(|place| verdicts[*place] = Err(error.to_string()));
                    continue;
                }
                Err(error) => return Err(error),
            };
            let proofs: Vec<_> = (places.iter())
                .map(|place| (told[*place].claim.clone(), told[*place].bytes.clone()))
                .collect();
            let work = move || verify_all(&key, &proofs);
            let start = std::time::Instant::now();
            let found = tokio::task::spawn_blocking(work).await;
            let found = found.map_err(|panic| Error::Child(panic.to_string()))?;
            self.means.metrics.spent("prove", Phase::Verifying, start.elapsed());
            for (place, verdict) in places.into_iter().zip(found) {
                verdicts[place] = verdict;
            }
        }
        Ok(verdicts)
    }

    /// Whether these bytes are a result of work that is no proof.
    async fn other(&self, work: &Work, bytes: &[u8]) -> Result<Result<(), String>, Error> {
        match work {
            Work::SweepRow(row) => Ok(measured(row, bytes)),
            Work::Simulate(simulate) => Ok(held(simulate, bytes)),
            Work::Keygen(keygen) => self.keys_hold(keygen, bytes).await,
            Work::Verify(verify) => Ok(match self.node(verify).await? {
                Ok(text) if text.as_bytes() == bytes => Ok(()),
                Ok(_) => Err("it says something else than its job".into()),
                Err(reason) => Err(reason),
            }),
            Work::Prove(_) => Ok(Err("proofs are verified together".into())),
        }
    }

    /// Keeps what holds, and tells of what does not.
    async fn settle(
        &self,
        job: &Job,
        verdict: Result<(), String>,
        bytes: bytes::Bytes,
    ) -> Result<Confirmed, Error> {
        let (name, kind) = (job.name(), job.work.kind());
        match verdict {
            Ok(()) => {
                // Whether new or there before: it is a verified result of the same job.
                let (Stored::New | Stored::There) = self.store().publish(&name, bytes).await?;
                self.means.metrics.job(kind, "confirmed");
                Ok(Confirmed::Yes)
            }
            Err(reason) => {
                tracing::error!(job = %name, reason, "a worker gave a result that does not hold");
                self.means.metrics.job(kind, "refuted");
                Ok(Confirmed::No(reason))
            }
        }
    }
}

/// Whether a record is one of the row. What was measured is its worker's word: nobody can measure it again.
fn measured(row: &SweepRow, bytes: &[u8]) -> Result<(), String> {
    let record = Record::parse(Path::new("record"), bytes, &row.asked);
    match record.map_err(|error| error.to_string())?.failure() {
        None => Ok(()),
        Some(reason) => Err(reason.to_owned()),
    }
}

/// Whether a result is one of the ceremony. As above, the times are its worker's word.
fn held(simulate: &Simulate, bytes: &[u8]) -> Result<(), String> {
    let simulated = Simulated::parse(Path::new("result"), bytes, &simulate.asked);
    simulated.map(drop).map_err(|error| error.to_string())
}
