//! A worker: its keys, its cores, and the proofs that take turns.

use std::collections::VecDeque;

use super::{server::Stage, sharing::Sharing};

/// A job of a workflow that computes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) flow: usize,
    /// The run of the workflow's activity: later runs have nothing to do with this task.
    pub(super) run: u32,
    pub(super) stage: Stage,
}

/// Where the key is that proofs need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Missing,
    Coming,
    Loaded,
}

/// A worker.
#[derive(Debug)]
pub(super) struct Worker {
    /// How often it has failed: events of an earlier life are void.
    pub(super) life: u32,
    pub(super) key: Key,
    /// Workflows whose activities it has.
    pub(super) activities: Vec<usize>,
    /// Those that wait for the key.
    pub(super) parked: Vec<usize>,
    pub(super) cores: Sharing<Task>,
    /// How many more proofs may begin before another one ends.
    turns: u32,
    queue: VecDeque<Task>,
}

impl Worker {
    /// A worker that makes `slots` proofs at once.
    pub(super) fn new(slots: u32, key: Key) -> Self {
        Self {
            life: 0,
            key,
            activities: vec![],
            parked: vec![],
            cores: Sharing::new(1.0),
            turns: slots,
            queue: VecDeque::new(),
        }
    }

    /// Computes a task that takes `seconds` on all cores, as soon as it is its turn. Verifications need no turn.
    pub(super) fn compute(&mut self, now: f64, task: Task, seconds: f64) {
        if task.stage == Stage::Confirm {
            self.cores.come(now, seconds, task);
        } else if self.turns > 0 {
            self.turns -= 1;
            self.cores.come(now, seconds, task);
        } else {
            self.queue.push_back(task);
        }
    }

    /// The task that is done. Its turn passes to the next one, which takes `seconds`.
    pub(super) fn computed(&mut self, now: f64, seconds: f64) -> Option<Task> {
        let task = self.cores.go(now)?;
        if task.stage == Stage::Make {
            match self.queue.pop_front() {
                Some(next) => self.cores.come(now, seconds, next),
                None => self.turns += 1,
            }
        }
        Some(task)
    }

    /// The worker fails, and loses its tasks, activities and key. Returns how many proofs are lost, and the activities.
    pub(super) fn fail(&mut self, now: f64, slots: u32) -> (usize, Vec<usize>) {
        let tasks = self.cores.leave(now, |_| true);
        self.life += 1;
        self.key = Key::Missing;
        self.parked.clear();
        self.queue.clear();
        self.turns = slots;
        let proofs = tasks.iter().filter(|task| task.stage == Stage::Make).count();
        (proofs, std::mem::take(&mut self.activities))
    }
}
