//! Loaded keys, as many as memory allows.

use std::{collections::HashMap, sync::Arc, time::Duration};

use muster_prover::{estimate::Size, Memory, VerifierKey};
use tokio::{
    sync::{Mutex, Semaphore},
    time::sleep,
};

use super::means::{Kept, Means, Place};
use crate::{
    child::Child,
    digest::Digest,
    job::Prove,
    metrics::{Metrics, Phase},
    work::{Fault, Inputs, KeyFolder, LoadedKey},
    Error,
};

/// Time between two looks for keys that nobody uses any more.
const LOOK: Duration = Duration::from_millis(100);

/// All loaded keys.
#[derive(Debug)]
pub(super) struct Hands {
    means: Means,
    loaded: Mutex<HashMap<Digest, Arc<Hand>>>,
}

/// A loaded key, and the right to make a proof of it.
#[derive(Debug)]
pub(super) struct Hand {
    key: Worker,
    /// What it is predicted to take.
    bytes: u64,
    slots: Semaphore,
}

#[derive(Debug)]
enum Worker {
    Inside(Arc<LoadedKey>),
    Child(Box<Child>),
}

impl Hands {
    pub(super) fn new(means: Means) -> Self {
        Self { means, loaded: Mutex::default() }
    }

    pub(super) async fn pids(&self) -> Vec<u32> {
        self.loaded.lock().await.values().filter_map(|hand| hand.pid()).collect()
    }

    /// The loaded keys. Others make room as soon as nobody uses them.
    pub(super) async fn take(&self, folder: &KeyFolder, key: Digest) -> Result<Arc<Hand>, Fault> {
        if let Some(hand) = self.loaded.lock().await.get(&key).filter(|hand| hand.is_alive()) {
            return Ok(hand.clone());
        }
        let size = Size::for_key(&VerifierKey::load(folder.dir()).map_err(Error::from)?);
        let (kept, limit) = (self.means.kept(&size), self.means.memory);
        if kept.bytes > limit {
            let bytes = kept.bytes;
            return Err(Fault::BadInput(format!(
                "its keys take {bytes} bytes, more than the {limit} of a worker that it was given to: its class is too small"
            )));
        }
        loop {
            let mut loaded = self.loaded.lock().await;
            loaded.retain(|_, hand| hand.is_alive());
            if let Some(hand) = loaded.get(&key) {
                return Ok(hand.clone());
            }
            if has_room(&mut loaded, limit - kept.bytes) {
                let worker = self.load(folder, key, kept.memory).await?;
                let hand = Arc::new(Hand::new(worker, kept));
                loaded.insert(key, hand.clone());
                self.means.metrics.predicted(taken(&loaded));
                return Ok(hand);
            }
            drop(loaded);
            sleep(LOOK).await;
        }
    }

    async fn load(&self, folder: &KeyFolder, key: Digest, memory: Memory) -> Result<Worker, Fault> {
        match self.means.place {
            Place::Children => {
                let child = Child::start(&self.means.command, folder, key, memory).await?;
                Ok(Worker::Child(Box::new(child)))
            }
            Place::Inside => {
                let folder = folder.clone();
                let loaded = tokio::task::spawn_blocking(move || folder.load(memory)).await;
                let loaded = loaded.map_err(|panic| Fault::Crash(panic.to_string()))?;
                Ok(Worker::Inside(Arc::new(loaded?)))
            }
        }
    }
}

/// What loaded keys and their proofs are predicted to take.
fn taken(loaded: &HashMap<Digest, Arc<Hand>>) -> u64 {
    loaded.values().map(|hand| hand.bytes).sum()
}

/// Whether loaded keys take no more than `limit`. Unloads keys that nobody uses if need be.
fn has_room(loaded: &mut HashMap<Digest, Arc<Hand>>, limit: u64) -> bool {
    while taken(loaded) > limit {
        let idle = loaded.iter().find(|(_, hand)| Arc::strong_count(hand) == 1);
        let Some(idle) = idle.map(|(key, _)| *key) else { return false };
        loaded.remove(&idle);
    }
    true
}

impl Hand {
    fn new(key: Worker, Kept { slots, bytes, .. }: Kept) -> Self {
        Self { key, bytes, slots: Semaphore::new(slots) }
    }

    fn is_alive(&self) -> bool {
        match &self.key {
            Worker::Inside(_) => true,
            Worker::Child(child) => child.is_alive(),
        }
    }

    fn pid(&self) -> Option<u32> {
        match &self.key {
            Worker::Inside(_) => None,
            Worker::Child(child) => child.pid(),
        }
    }

    /// Makes a proof as soon as it is this one's turn.
    pub(super) async fn prove(
        &self,
        prove: &Prove,
        inputs: Inputs,
        metrics: &Metrics,
    ) -> Result<String, Fault> {
        let turn = metrics.timed("prove", Phase::Waiting, self.slots.acquire()).await;
        let _turn = turn.expect("it is never closed");
        metrics.timed("prove", Phase::Proving, self.prove_now(prove, inputs)).await
    }

    async fn prove_now(&self, prove: &Prove, inputs: Inputs) -> Result<String, Fault> {
        match &self.key {
            Worker::Child(child) => child.prove(prove, &inputs.committee, &inputs.signatures).await,
            Worker::Inside(key) => {
                let (key, prove) = (key.clone(), prove.clone());
                let work = move || key.prove(&prove, &inputs.committee, &inputs.signatures);
                let made = tokio::task::spawn_blocking(work).await;
                made.unwrap_or_else(|panic| Err(Fault::Crash(panic.to_string())))
            }
        }
    }
}
