//! Faults by chance, while proofs are made: nothing is lost, nothing is stored twice, nothing is wrong.

use std::{collections::HashSet, fs, process::Command, time::Duration};

use muster_farm::{
    job::Task,
    runner::{Runner, Temporal},
    work::Outcome,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use tokio::time::{sleep, timeout};

use crate::{
    fixture::Farm,
    server::{Process, Server},
};

/// Between two faults.
const PAUSE: Duration = Duration::from_secs(2);
/// Longer than a worker's heartbeat may be missing.
const FROZEN: Duration = Duration::from_secs(7);
const WORKERS: usize = 3;
/// Proofs that a worker makes at once.
const SLOTS: usize = 2;

/// What goes wrong.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    WorkerKilled,
    ChildKilled,
    WorkerFrozen,
    ServerKilled,
}

const MISHAPS: [Mishap; 4] =
    [Mishap::WorkerKilled, Mishap::ChildKilled, Mishap::WorkerFrozen, Mishap::ServerKilled];

/// A seed of the environment, or another one each time; it is printed.
fn rng() -> ChaCha20Rng {
    let seed = std::env::var("MUSTER_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or_else(rand::random);
    eprintln!("MUSTER_TEST_SEED={seed}");
    ChaCha20Rng::seed_from_u64(seed)
}

struct Site {
    server: Server,
    farm: Farm,
    workers: Vec<Process>,
    started: usize,
}

impl Site {
    fn hire(&mut self) -> Process {
        self.started += 1;
        self.server.worker(&self.farm, &format!("worker-{}", self.started))
    }

    async fn suffer(&mut self, mishap: Mishap, place: usize) {
        match mishap {
            Mishap::WorkerKilled => {
                self.workers[place].kill();
                self.workers[place] = self.hire();
            }
            Mishap::ChildKilled => {
                let parent = self.workers[place].0.id().to_string();
                let killed = Command::new("pkill").args(["-KILL", "-P", &parent]).status();
                killed.expect("there is a command that kills children");
            }
            Mishap::WorkerFrozen => {
                self.workers[place].signal("STOP");
                sleep(FROZEN).await;
                self.workers[place].signal("CONT");
            }
            Mishap::ServerKilled => {
                self.server.kill();
                sleep(Duration::from_secs(1)).await;
                self.server.start();
                self.server.client().await;
            }
        }
    }

    /// Proofs that workers say they made.
    fn made(&self) -> usize {
        let log = |number| {
            let path = self.farm.dir.path().join(format!("worker-{number}.log"));
            fs::read_to_string(path).unwrap().matches("proven job").count()
        };
        (1..=self.started).map(log).sum()
    }
}

/// So many jobs, each asked for three times by three who ask at once, under faults until all are done.
async fn survive(count: u64) {
    let Some(server) = Server::new().await else { return };
    let (mut rng, farm) = (rng(), Farm::new().await);
    let mut tasks: Vec<Task> = vec![];
    for message in 0..count {
        tasks.push(farm.task(1_000 + message).await);
    }
    let mut site = Site { server, farm, workers: vec![], started: 0 };
    for _ in 0..WORKERS {
        let worker = site.hire();
        site.workers.push(worker);
    }
    let asked: Vec<_> = (0..3)
        .map(|_| {
            let (address, store) = (site.server.address(), site.farm.store.clone());
            tokio::spawn(ask(address, store, tasks.clone()))
        })
        .collect();
    let mut mishaps = 0;
    while !asked.iter().all(tokio::task::JoinHandle::is_finished) {
        let (mishap, place) = (MISHAPS[rng.gen_range(0..MISHAPS.len())], rng.gen_range(0..WORKERS));
        eprintln!("{mishap:?} {place}");
        site.suffer(mishap, place).await;
        mishaps += 1;
        sleep(PAUSE).await;
    }
    for asked in asked {
        assert_eq!(asked.await.unwrap(), vec![Outcome::Proven; tasks.len()]);
    }
    let names: HashSet<_> = tasks.iter().map(|task| task.job.name()).collect();
    let stored = fs::read_dir(site.farm.dir.path().join("store/proofs")).unwrap().count();
    assert_eq!(stored, names.len(), "each is stored once");
    for task in &tasks {
        assert!(site.farm.is_proven(&task.job).await);
    }
    // A proof may be on its way when its worker is lost, in each of its slots.
    let made = site.made();
    assert!(made >= names.len(), "workers say what they make");
    let in_vain = made - names.len();
    assert!(in_vain <= SLOTS * mishaps, "{in_vain} proofs in vain");
    eprintln!("{} jobs, {mishaps} mishaps, {in_vain} proofs in vain", names.len());
}

/// Asks, and asks again if the server was gone meanwhile.
async fn ask(address: String, store: muster_farm::store::Store, tasks: Vec<Task>) -> Vec<Outcome> {
    let address = muster_farm::temporal::Server { address: Some(address), ..Default::default() };
    loop {
        if let Ok(client) = muster_farm::temporal::connect(&address).await {
            let runner = Temporal::new(client, store.clone());
            match runner.run(tasks.clone()).await {
                Ok(outcomes) => return outcomes,
                Err(error) => eprintln!("asked again: {error}"),
            }
        }
        sleep(Duration::from_millis(500)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_in_two_minutes() {
    timeout(Duration::from_secs(600), survive(60)).await.expect("in time");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes 20 minutes"]
async fn nothing_is_lost_in_twenty_minutes() {
    timeout(Duration::from_secs(3_600), survive(1_000)).await.expect("in time");
}
