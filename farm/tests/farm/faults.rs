//! Faults by chance, while proofs are made: nothing is lost, nothing is stored twice, nothing is wrong.

use std::{
    collections::HashSet,
    fs,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use muster_farm::{
    job::Task,
    runner::{Labels, Runner, Temporal},
    store::MOST_STARTS,
    submit::tree,
    temporal::{connect, Server as Address},
    work::Outcome,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use tokio::time::{sleep, timeout};

use crate::{
    door::Door,
    fixture::Farm,
    server::{worker, worker_on_a_full_disk, Process, Server},
};

/// Between two faults.
const PAUSE: Duration = Duration::from_secs(2);
/// Longer than a worker's heartbeat may be missing.
const FROZEN: Duration = Duration::from_secs(7);
/// How long a door is shut, and the store refuses.
const AWAY: Duration = Duration::from_secs(2);
/// Longest wait for a sign that work goes on.
const LONGEST: Duration = Duration::from_secs(60);
const WORKERS: usize = 4;
/// Proofs of a tree.
const PROOFS: u64 = 64;
/// Children of a node of the tree over all proofs.
const WIDTH: usize = 8;

/// What goes wrong.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    WorkerKilled,
    ChildKilled,
    WorkerFrozen,
    ServerKilled,
    ConnectionCut,
    StoreRefuses,
    DiskFull,
}

const MISHAPS: [Mishap; 7] = [
    Mishap::WorkerKilled,
    Mishap::ChildKilled,
    Mishap::WorkerFrozen,
    Mishap::ServerKilled,
    Mishap::ConnectionCut,
    Mishap::StoreRefuses,
    Mishap::DiskFull,
];

/// A seed of the environment, or another one each time; it is printed.
fn rng() -> ChaCha20Rng {
    let seed = std::env::var("MUSTER_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or_else(rand::random);
    eprintln!("MUSTER_TEST_SEED={seed}");
    ChaCha20Rng::seed_from_u64(seed)
}

struct Site {
    server: Server,
    farm: Arc<Farm>,
    /// Each worker comes through a door of its own.
    doors: Vec<Door>,
    workers: Vec<Process>,
    started: usize,
    /// From the start of a server until a job was done again.
    pauses: Vec<Duration>,
}

impl Site {
    async fn new(server: Server, farm: Arc<Farm>) -> Self {
        let mut site =
            Self { server, farm, doors: vec![], workers: vec![], started: 0, pauses: vec![] };
        for place in 0..WORKERS {
            site.doors.push(Door::new(site.server.address(), None).await);
            let worker = site.hire(place);
            site.workers.push(worker);
        }
        site
    }

    fn name(&mut self) -> String {
        self.started += 1;
        format!("worker-{}", self.started)
    }

    fn hire(&mut self, place: usize) -> Process {
        let (name, address) = (self.name(), self.doors[place].address());
        worker(&self.farm, &name, &["--address", &address])
    }

    /// Whether a job would be given up, and rightly, if its worker were killed once more. That is another test's.
    async fn is_at_its_last(&self) -> bool {
        for (job, starts) in self.farm.store.overview().await.unwrap().begun {
            let job = job.parse().unwrap();
            let is_open = self.farm.store.result(&job).await.unwrap().is_none();
            if is_open && starts + 1 >= MOST_STARTS {
                return true;
            }
        }
        false
    }

    async fn suffer(&mut self, mishap: Mishap, place: usize) {
        let kills = matches!(mishap, Mishap::WorkerKilled | Mishap::ChildKilled);
        match mishap {
            _ if kills && self.is_at_its_last().await => {}
            Mishap::WorkerKilled => {
                self.workers[place].kill();
                self.workers[place] = self.hire(place);
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
                let (start, before) = (Instant::now(), self.results());
                while self.results() == before && start.elapsed() < LONGEST {
                    sleep(Duration::from_millis(100)).await;
                }
                self.pauses.push(start.elapsed());
            }
            Mishap::ConnectionCut => {
                self.doors[place].shut();
                sleep(AWAY).await;
                self.doors[place].open();
            }
            Mishap::StoreRefuses => self.refuse().await,
            Mishap::DiskFull => {
                let name = self.name();
                let address = self.server.address();
                let _short = worker_on_a_full_disk(&self.farm, &name, &["--address", &address]);
                sleep(AWAY).await;
            }
        }
    }

    /// Nothing can be written for a while where workers leave what they made.
    async fn refuse(&self) {
        let place = self.farm.dir.path().join("store/made");
        let away = place.with_extension("away");
        if fs::rename(&place, &away).is_ok() {
            fs::write(&place, "").unwrap();
            sleep(AWAY).await;
            fs::remove_file(&place).unwrap();
            fs::rename(&away, &place).unwrap();
        }
    }

    fn results(&self) -> usize {
        let found = fs::read_dir(self.farm.dir.path().join("store/results"));
        // What is being written has another end.
        let is_whole = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".json");
        found.map_or(0, |found| {
            found.filter_map(Result::ok).map(|one| one.file_name()).filter(is_whole).count()
        })
    }

    /// Proofs that workers say they made.
    fn made(&self) -> usize {
        let log = |number| {
            let path = self.farm.dir.path().join(format!("worker-{number}.log"));
            let log = fs::read_to_string(path).unwrap();
            log.lines()
                .filter(|line| line.contains(": done job") && line.contains("\"prove\""))
                .count()
        };
        (1..=self.started).map(log).sum()
    }
}

/// Trees of proofs, each asked for three times by three who ask at once, one tree after the other until it has been `long` enough, under
/// faults.
async fn survive(long: Duration) {
    let Some(server) = Server::new().await else { return };
    let (mut rng, farm) = (rng(), Arc::new(Farm::new().await));
    let mut site = Site::new(server, farm.clone()).await;
    let start = Instant::now();
    let asked = tokio::spawn(ask_for_trees(site.server.address(), farm.clone(), long));
    let mut mishaps = 0;
    while !asked.is_finished() {
        let (mishap, place) = (MISHAPS[rng.gen_range(0..MISHAPS.len())], rng.gen_range(0..WORKERS));
        eprintln!("{mishap:?} {place}");
        site.suffer(mishap, place).await;
        mishaps += 1;
        sleep(PAUSE).await;
    }
    let tasks = asked.await.unwrap();
    let names: HashSet<_> = tasks.iter().map(|task| task.job.name()).collect();
    assert_eq!(site.results(), names.len(), "each is stored once");
    let proofs = tasks.iter().filter(|task| task.job.work.kind() == "prove");
    let mut count = 0;
    for task in proofs {
        assert!(farm.is_proven(&task.job).await);
        count += 1;
    }
    // A proof may be on its way when its worker is lost.
    let made = site.made();
    assert!(made >= count, "workers say what they make: {made}");
    let in_vain = made - count;
    assert!(in_vain <= mishaps, "{in_vain} proofs in vain");
    let (nodes, seconds) = (names.len() - count, start.elapsed().as_secs());
    eprintln!(
        "{count} proofs and {nodes} nodes in {seconds} s, {mishaps} mishaps, {in_vain} proofs in vain"
    );
    site.pauses.sort();
    eprintln!("at work again after the server's start: {:.1?}", site.pauses);
}

/// All tasks that were asked for, and done.
async fn ask_for_trees(server: String, farm: Arc<Farm>, long: Duration) -> Vec<Task> {
    let (start, mut all) = (Instant::now(), vec![]);
    for tree_number in 0.. {
        let mut tasks: Vec<Task> = vec![];
        for message in 0..PROOFS {
            tasks.push(farm.task(PROOFS * tree_number + message).await);
        }
        let levels = tree(tasks, WIDTH, "tests");
        let asked = (0..3).map(|_| ask(server.clone(), farm.store.clone(), levels.clone()));
        for outcomes in futures::future::join_all(asked).await {
            assert!(outcomes.iter().flatten().all(|one| *one == Outcome::Done), "{outcomes:?}");
        }
        all.extend(levels.into_iter().flatten());
        if start.elapsed() >= long {
            break;
        }
    }
    all
}

/// Asks, and asks again if the server was gone meanwhile.
async fn ask(
    address: String,
    store: muster_farm::store::Store,
    levels: Vec<Vec<Task>>,
) -> Vec<Vec<Outcome>> {
    let address = Address { address: Some(address), ..Default::default() };
    loop {
        if let Ok(client) = connect(&address, None).await {
            let runner = Temporal::new(client, store.clone(), Labels::Few);
            match runner.chain(levels.clone()).await {
                Ok(outcomes) => return outcomes,
                Err(error) => eprintln!("asked again: {error}"),
            }
        }
        sleep(Duration::from_millis(500)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_in_two_minutes() {
    timeout(Duration::from_secs(600), survive(Duration::from_secs(120))).await.expect("in time");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes 20 minutes, or as many as MUSTER_FARM_MINUTES says"]
async fn nothing_is_lost_in_twenty_minutes() {
    let minutes = std::env::var("MUSTER_FARM_MINUTES");
    let minutes: u64 = minutes.ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let long = Duration::from_secs(60 * minutes);
    timeout(4 * long, survive(long)).await.expect("in time");
}
