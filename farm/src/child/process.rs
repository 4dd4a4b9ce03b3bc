//! The process, from outside.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        atomic::{AtomicU64, Ordering},
        Arc, Mutex,
    },
};

use muster_prover::Memory;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{self, ChildStdin, ChildStdout},
    sync::{oneshot, Mutex as AsyncMutex},
};

use super::{Answer, Order, COMMAND};
use crate::{
    job::Prove,
    work::{Fault, KeyFolder},
};

/// How the process is started.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program: `muster-farm`.
    pub program: PathBuf,
    /// Threads that compute.
    pub threads: usize,
}

impl Command {
    /// A process that runs the hidden command of this name. It is killed when dropped, and ends when its input does.
    pub(super) fn process(&self, name: &str) -> process::Command {
        let mut command = process::Command::new(&self.program);
        command
            .arg(name)
            .env("RAYON_NUM_THREADS", self.threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // An interrupt from a terminal is for the worker, which decides when this ends.
            .process_group(0)
            .kill_on_drop(true);
        command
    }

    /// Whether the program starts here at all.
    ///
    /// # Errors
    ///
    /// The reason why it does not.
    pub async fn starts(&self) -> Result<(), String> {
        let mut command = self.process("--version");
        let output = command.output().await.map_err(|error| error.to_string())?;
        output.status.success().then_some(()).ok_or_else(|| output.status.to_string())
    }
}

/// Pending orders, and who waits for each.
type Waiting = Arc<Mutex<Option<HashMap<u64, oneshot::Sender<Result<String, Fault>>>>>>;

/// A process with loaded keys.
#[derive(Debug)]
pub struct Child {
    /// Killed when this is dropped.
    process: Mutex<process::Child>,
    orders: AsyncMutex<ChildStdin>,
    waiting: Waiting,
    next: AtomicU64,
}

impl Child {
    /// Starts the process, and waits until its keys are loaded.
    ///
    /// # Errors
    ///
    /// Why they cannot be loaded and whose fault that is; [`Fault::Crash`] if the process ends.
    pub async fn start(
        command: &Command,
        keys: &KeyFolder,
        key: crate::Digest,
        memory: Memory,
    ) -> Result<Self, Fault> {
        let failed = |error: std::io::Error| Fault::Worker(format!("the proving process: {error}"));
        let mut process = (command.process(COMMAND))
            .arg("--keys")
            .arg(keys.dir())
            .args(["--key", &key.to_string()])
            .args((memory == Memory::Fast).then_some("--fast"))
            .spawn()
            .map_err(failed)?;
        let gone = || Fault::Worker("the proving process has no input or output".into());
        let orders = process.stdin.take().ok_or_else(gone)?;
        let mut answers = BufReader::new(process.stdout.take().ok_or_else(gone)?);
        let mut line = String::new();
        answers.read_line(&mut line).await.map_err(failed)?;
        match serde_json::from_str(&line) {
            Ok(Answer::Ready) => {}
            Ok(Answer::Unfit(fault)) => return Err(fault),
            _ => {
                let reason = "the proving process ended while it loaded the keys";
                return Err(Fault::Crash(reason.into()));
            }
        }
        let waiting: Waiting = Arc::new(Mutex::new(Some(HashMap::new())));
        tokio::spawn(listen(answers, waiting.clone()));
        Ok(Self {
            process: process.into(),
            orders: orders.into(),
            waiting,
            next: AtomicU64::new(0),
        })
    }

    /// Whether it still takes orders.
    pub fn is_alive(&self) -> bool {
        self.waiting.lock().expect("nobody panics who holds it").is_some()
    }

    /// Its process ID, while it has one.
    pub fn pid(&self) -> Option<u32> {
        self.process.lock().expect("nobody panics who holds it").id()
    }

    /// Has a proof made from files on this machine.
    ///
    /// # Errors
    ///
    /// Why there is none and whose fault that is: [`Fault::Crash`] if the process ended.
    pub async fn prove(
        &self,
        prove: &Prove,
        committee: &Path,
        signatures: &Path,
    ) -> Result<String, Fault> {
        let ended = || Fault::Crash("the proving process ended; was there enough memory?".into());
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (committee, signatures) = (committee.to_owned(), signatures.to_owned());
        let order = Order { id, prove: prove.clone(), committee, signatures };
        let line = serde_json::to_string(&order).expect("texts and numbers") + "\n";
        let (send, answer) = oneshot::channel();
        match self.waiting.lock().expect("nobody panics who holds it").as_mut() {
            Some(waiting) => waiting.insert(id, send),
            None => return Err(ended()),
        };
        let sent = self.orders.lock().await.write_all(line.as_bytes()).await;
        if sent.is_err() {
            return Err(ended());
        }
        answer.await.unwrap_or_else(|_| Err(ended()))
    }
}

/// Hands answers to those who wait for them until the process ends. After that nobody waits.
async fn listen(mut answers: BufReader<ChildStdout>, waiting: Waiting) {
    let mut line = String::new();
    while matches!(answers.read_line(&mut line).await, Ok(1..)) {
        if let Ok(Answer::Done { id, result }) = serde_json::from_str(&line) {
            let mut waiting = waiting.lock().expect("nobody panics who holds it");
            if let Some(who) = waiting.as_mut().and_then(|waiting| waiting.remove(&id)) {
                // Whoever gave up does not need the answer.
                let _ = who.send(result);
            }
        }
        line.clear();
    }
    *waiting.lock().expect("nobody panics who holds it") = None;
}
