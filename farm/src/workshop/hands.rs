//! Loaded keys, as many as memory allows.

use std::{collections::HashMap, sync::Arc};

use muster_prover::{estimate::Size, Memory, VerifierKey};
use tokio::sync::{Mutex, Semaphore};

use crate::{
    child::{Child, Command},
    digest::Digest,
    job::Job,
    work::{Fault, Inputs, KeyFolder, LoadedKey},
    Error,
};

/// What a machine has for its jobs.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Bytes that all loaded keys and their proofs may be predicted to take.
    pub memory: u64,
    /// Proofs of a key at once.
    pub slots: usize,
}

/// Where proofs are made.
#[derive(Clone, Debug)]
pub enum Place {
    /// In this process.
    Inside,
    /// In a process for each key.
    Children(Command),
}

/// All loaded keys.
#[derive(Debug)]
pub(super) struct Hands {
    place: Place,
    capacity: Capacity,
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
    pub(super) fn new(place: Place, capacity: Capacity) -> Self {
        Self { place, capacity, loaded: Mutex::default() }
    }

    pub(super) async fn pids(&self) -> Vec<u32> {
        self.loaded.lock().await.values().filter_map(|hand| hand.pid()).collect()
    }

    /// The keys, loaded. Others that nobody uses make room.
    pub(super) async fn take(&self, folder: &KeyFolder, key: Digest) -> Result<Arc<Hand>, Fault> {
        let mut loaded = self.loaded.lock().await;
        loaded.retain(|_, hand| hand.is_alive());
        if let Some(hand) = loaded.get(&key) {
            return Ok(hand.clone());
        }
        let size = Size::of(VerifierKey::load(folder.dir()).map_err(Error::from)?.shape());
        let bytes = size.proving_bytes(Memory::Low, self.capacity.slots);
        while loaded.values().map(|hand| hand.bytes).sum::<u64>() + bytes > self.capacity.memory {
            let idle = loaded.iter().find(|(_, hand)| Arc::strong_count(hand) == 1);
            let Some(idle) = idle.map(|(key, _)| *key) else {
                let limit = self.capacity.memory;
                let reason =
                    format!("its keys take {bytes} bytes, beside others more than {limit}");
                return Err(Fault::Worker(reason));
            };
            loaded.remove(&idle);
        }
        let worker = self.load(folder, key).await?;
        let hand = Hand { key: worker, bytes, slots: Semaphore::new(self.capacity.slots) };
        Ok(loaded.entry(key).or_insert(Arc::new(hand)).clone())
    }

    async fn load(&self, folder: &KeyFolder, key: Digest) -> Result<Worker, Fault> {
        match &self.place {
            Place::Children(command) => {
                Ok(Worker::Child(Box::new(Child::start(command, folder, key).await?)))
            }
            Place::Inside => {
                let folder = folder.clone();
                let loaded = tokio::task::spawn_blocking(move || folder.load(Memory::Low)).await;
                let loaded = loaded.map_err(|panic| Fault::Crash(panic.to_string()))?;
                Ok(Worker::Inside(Arc::new(loaded?)))
            }
        }
    }
}

impl Hand {
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
    pub(super) async fn prove(&self, job: &Job, inputs: Inputs) -> Result<String, Fault> {
        let _turn = self.slots.acquire().await.expect("it is never closed");
        match &self.key {
            Worker::Child(child) => child.prove(job, &inputs.committee, &inputs.signatures).await,
            Worker::Inside(key) => {
                let (key, job) = (key.clone(), job.clone());
                let work = move || key.prove(&job, &inputs.committee, &inputs.signatures);
                let made = tokio::task::spawn_blocking(work).await;
                made.unwrap_or_else(|panic| Err(Fault::Crash(panic.to_string())))
            }
        }
    }
}
