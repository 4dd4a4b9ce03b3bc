//! Verification of what another worker made.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use bytes::Bytes;
use futures::future::{join_all, try_join_all};
use muster_prover::{input, VerifierKey};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::Workshop;
use crate::{
    job::{Claim, Job, JobName, Prove, Verified, Verify, Work},
    metrics::Phase,
    store::Stored,
    work::{measured, verify_all},
    Digest, Error,
};

/// The verdict on what a worker made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirmed {
    /// The store keeps the result for good.
    Yes,
    /// It is not a result of the job, and why.
    No(String),
}

/// A claim, and bytes that are supposed to be a proof of it.
type Told = (Claim, Bytes);

/// Where the store has a supposed result.
#[derive(Clone, Copy)]
enum Shelf {
    /// As a worker gave it.
    Made,
    /// As somebody else verified it, or should have.
    Kept,
}

/// What the store has of a job on a shelf.
enum Found {
    Nothing,
    Holds(Bytes),
    Fails(String),
}

impl Workshop {
    /// Verifies what workers made for jobs, proofs of a key together, and keeps for good what holds. Results that
    /// are already there are verified, too: anybody who may write to the store may have put them there.
    ///
    /// # Errors
    ///
    /// Those of the store, and of this worker. They say nothing about any job.
    pub async fn confirm(&self, jobs: &[Job]) -> Result<Vec<Confirmed>, Error> {
        // Not while something is measured.
        let _turn = self.floor.read().await;
        let all: Vec<&Job> = jobs.iter().collect();
        let kept = self.look(&all, Shelf::Kept).await?;
        let is_left = |(_, kept): &(&&Job, &Found)| !matches!(kept, Found::Holds(_));
        let left: Vec<&Job> = all.iter().zip(&kept).filter(is_left).map(|(job, _)| *job).collect();
        let mut made = self.look(&left, Shelf::Made).await?.into_iter();
        let settled = all.into_iter().zip(kept).map(|(job, kept)| {
            let made = if matches!(kept, Found::Holds(_)) { None } else { made.next() };
            self.settle(job, kept, made)
        });
        let confirmed = try_join_all(settled).await?;
        let forget = |job: &Job| {
            let name = job.name();
            async move { self.store().forget_made(&name).await }
        };
        try_join_all(jobs.iter().map(forget)).await?;
        Ok(confirmed)
    }

    /// Whether the store has a result of a job that holds.
    pub(super) async fn is_there(&self, job: &Job) -> Result<bool, Error> {
        // Not while something is measured.
        let _turn = self.floor.read().await;
        let found = self.look(&[job], Shelf::Kept).await?;
        Ok(matches!(found[..], [Found::Holds(_)]))
    }

    /// What the store has of jobs on a shelf, verified.
    async fn look(&self, jobs: &[&Job], shelf: Shelf) -> Result<Vec<Found>, Error> {
        let read = |job: &&Job| {
            let name = job.name();
            async move {
                match shelf {
                    Shelf::Made => self.store().made(&name).await,
                    Shelf::Kept => self.store().result(&name).await,
                }
            }
        };
        let read = join_all(jobs.iter().map(read)).await;
        let (mut all, mut places, mut told) = (vec![], vec![], vec![]);
        for ((place, job), bytes) in jobs.iter().enumerate().zip(read) {
            let bytes = match bytes {
                Ok(Some(bytes)) => bytes,
                Ok(None) => {
                    all.push(Found::Nothing);
                    continue;
                }
                Err(error) => {
                    all.push(Found::Fails(self.verdict(error).await?));
                    continue;
                }
            };
            let fails = match &job.work {
                Work::Prove(Prove { claim, .. }) => {
                    places.push(place);
                    told.push((claim.clone(), bytes.clone()));
                    None
                }
                other => self.other(other, &bytes).await?.err(),
            };
            all.push(fails.map_or(Found::Holds(bytes), Found::Fails));
        }
        for (place, verdict) in places.into_iter().zip(self.hold(&told).await?) {
            if let Err(reason) = verdict {
                all[place] = Found::Fails(reason);
            }
        }
        Ok(all)
    }

    /// Verifies the proofs of a node's children. Returns what it must say, or which child's result is missing or false.
    ///
    /// # Errors
    ///
    /// As [`Self::confirm`].
    pub(super) async fn node(&self, verify: &Verify) -> Result<Result<String, String>, Error> {
        let lacks = |name: &JobName| Ok(Err(format!("{name} has no result in the store")));
        for name in &verify.nodes {
            let Some(bytes) = self.store().result(name).await? else { return lacks(name) };
            // That its children hold, only its worker says.
            let said = input::from_json::<Verified>(&bytes);
            if !said.is_ok_and(|said| said.name() == *name) {
                return Ok(Err(format!(
                    "{name}: the result in the store does not match this node"
                )));
            }
        }
        let mut told = vec![];
        for claim in &verify.claims {
            let name = claim.name();
            let Some(bytes) = self.store().result(&name).await? else { return lacks(&name) };
            told.push((claim.clone(), bytes));
        }
        for ((claim, _), verdict) in told.iter().zip(self.hold(&told).await?) {
            if let Err(reason) = verdict {
                return Ok(Err(format!("the proof {}: {reason}", claim.name())));
            }
        }
        Ok(Ok(serde_json::to_string(&verify.verified()).expect("names") + "\n"))
    }

    /// Whether each proof holds; those of a key are verified together.
    async fn hold(&self, told: &[Told]) -> Result<Vec<Result<(), String>>, Error> {
        let mut by_key: BTreeMap<Digest, Vec<usize>> = BTreeMap::new();
        for (place, (claim, _)) in told.iter().enumerate() {
            by_key.entry(claim.key).or_default().push(place);
        }
        let mut verdicts = vec![Ok(()); told.len()];
        for (key, places) in by_key {
            let key = match self.verifier(key).await {
                Ok(key) => key,
                Err(error) => {
                    let reason = self.verdict(error).await?;
                    places.iter().for_each(|place| verdicts[*place] = Err(reason.clone()));
                    continue;
                }
            };
            let proofs = places.iter().map(|place| told[*place].clone()).collect();
            let start = std::time::Instant::now();
            let found = verified(key, proofs).await;
            self.means.metrics.spent("prove", Phase::Verifying, start.elapsed());
            for (place, verdict) in places.into_iter().zip(found) {
                verdicts[place] = verdict;
            }
        }
        Ok(verdicts)
    }

    /// Whether these bytes are a result of work that is no proof.
    async fn other(&self, work: &Work, bytes: &[u8]) -> Result<Result<(), String>, Error> {
        if let Some(verdict) = measured(work, bytes) {
            return Ok(verdict);
        }
        let verdict = match work {
            Work::Keygen(keygen) => self.keys_hold(keygen, bytes).await,
            Work::Verify(verify) => self.node(verify).await.map(|node| match node {
                Ok(text) if text.as_bytes() == bytes => Ok(()),
                Ok(_) => Err("it does not match its job".into()),
                Err(reason) => Err(reason),
            }),
            _ => return Ok(Err("proofs are verified together".into())),
        };
        match verdict {
            Err(error) => Ok(Err(self.verdict(error).await?)),
            verdict => verdict,
        }
    }

    /// Keeps what holds, and reports what does not.
    async fn settle(
        &self,
        job: &Job,
        kept: Found,
        made: Option<Found>,
    ) -> Result<Confirmed, Error> {
        let (name, kind) = (job.name(), job.work.kind());
        let refuted = |reason: &str, what: &str| {
            tracing::error!(job = %name, reason, "{what}");
            self.means.metrics.job(kind, "refuted");
        };
        if let Found::Fails(reason) = &kept {
            refuted(reason, "the store has a result that does not hold");
        }
        match (kept, made) {
            (Found::Holds(_), _) => Ok(Confirmed::Yes),
            (kept, Some(Found::Holds(bytes))) => {
                self.publish(job, bytes, matches!(kept, Found::Fails(_))).await
            }
            (_, Some(Found::Fails(reason))) => {
                refuted(&reason, "a worker gave a result that does not hold");
                Ok(Confirmed::No(reason))
            }
            (Found::Fails(reason), _) => Ok(Confirmed::No(reason)),
            (Found::Nothing, _) => Ok(Confirmed::No("there is none in the store".into())),
        }
    }

    /// Keeps a verified result for good: where there is none, or in place of one that does not hold.
    async fn publish(&self, job: &Job, bytes: Bytes, is_false: bool) -> Result<Confirmed, Error> {
        let name = job.name();
        if is_false {
            match self.store().republish(&name, bytes).await {
                Err(Error::Store(error)) if is_refusal(&error) => {
                    return Ok(Confirmed::No(format!(
                        "the store has a result that does not hold, and takes no other in its place; \
                         `muster-farm retry {name}` removes it: {error}"
                    )));
                }
                done => done?,
            }
        } else {
            // Either it is new, or somebody faster has just put it there.
            let (Stored::New | Stored::There) = self.store().publish(&name, bytes).await?;
        }
        self.means.metrics.job(job.work.kind(), "confirmed");
        Ok(Confirmed::Yes)
    }
}

/// Whether the store answers, but does not let this worker write.
fn is_refusal(error: &object_store::Error) -> bool {
    use object_store::Error::{
        NotImplemented, NotSupported, PermissionDenied, Precondition, Unauthenticated,
    };
    matches!(
        error,
        PermissionDenied { .. }
            | Unauthenticated { .. }
            | Precondition { .. }
            | NotSupported { .. }
            | NotImplemented { .. }
    )
}

/// Verifies proofs of a key together. If one of them makes the verifier panic, each is verified alone.
async fn verified(key: VerifierKey, proofs: Vec<Told>) -> Vec<Result<(), String>> {
    let (key, proofs) = (Arc::new(key), Arc::new(proofs));
    let verify = |places: Range<usize>| {
        let (key, proofs) = (key.clone(), proofs.clone());
        spawn_blocking(move || verify_all(&key, &proofs[places]))
    };
    if let Ok(verdicts) = verify(0..proofs.len()).await {
        return verdicts;
    }
    let mut verdicts = vec![];
    for place in 0..proofs.len() {
        let alone = verify(place..place + 1).await;
        verdicts.extend(alone.unwrap_or_else(|panic| vec![Err(panic.to_string())]));
    }
    verdicts
}
