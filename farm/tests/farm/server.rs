//! Temporal's development server, on a file, and workers as processes.

use std::{
    fs::File,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use muster_farm::temporal::{connect, Server as Address};
use temporalio_client::Client;

use crate::fixture::Farm;

/// Where the command line of Temporal may be named.
const TEMPORAL: &str = "MUSTER_TEMPORAL";

/// Temporal's command line, if this machine has it.
fn program() -> Option<PathBuf> {
    let named = std::env::var_os(TEMPORAL).map(PathBuf::from);
    let found = || {
        let path = std::env::var_os("PATH")?;
        let home = std::env::var_os("HOME").map(|home| Path::new(&home).join("go/bin"));
        let mut folders = std::env::split_paths(&path).chain(home);
        folders.find_map(|folder| Some(folder.join("temporal")).filter(|path| path.exists()))
    };
    named.or_else(found)
}

/// A process that is killed in the end.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    /// Sends a signal.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).stderr(Stdio::null()).status();
        sent.expect("there is a command that sends signals");
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A server whose state outlives it.
pub(crate) struct Server {
    program: PathBuf,
    dir: tempfile::TempDir,
    port: u16,
    process: Option<Process>,
}

impl Server {
    /// A new one; none where Temporal's command line is missing, which is said.
    pub(crate) async fn new() -> Option<Self> {
        let Some(program) = program() else {
            let version = "go install github.com/temporalio/cli/cmd/temporal@v1.5.1";
            muster_testing::skip("Temporal", &format!("{version}, or name it in {TEMPORAL}"));
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let dir = tempfile::tempdir().unwrap();
        let mut server = Self { program, dir, port, process: None };
        server.start();
        server.client().await;
        Some(server)
    }

    pub(crate) fn start(&mut self) {
        let log = File::options().create(true).append(true).open(self.dir.path().join("log"));
        let child = Command::new(&self.program)
            .args(["server", "start-dev", "--headless", "--log-level", "error"])
            .args(["--ip", "127.0.0.1", "--port", &self.port.to_string()])
            .arg("--db-filename")
            .arg(self.dir.path().join("db"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.unwrap())
            .spawn()
            .unwrap();
        self.process = Some(Process(child));
    }

    /// Kills it at once; what it has on disk stays.
    pub(crate) fn kill(&mut self) {
        self.process = None;
    }

    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A connection, as soon as it answers.
    pub(crate) async fn client(&self) -> Client {
        let address = Address { address: Some(self.address()), ..Address::default() };
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            match connect(&address, None).await {
                Ok(client) => return client,
                Err(error) => assert!(Instant::now() < end, "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// A worker; `name` is that of its log.
    pub(crate) fn worker(&self, farm: &Farm, name: &str) -> Process {
        self.worker_with(farm, name, &[])
    }

    /// The same with further arguments.
    pub(crate) fn worker_with(&self, farm: &Farm, name: &str, more: &[&str]) -> Process {
        worker(farm, name, &[&["--address", &self.address()], more].concat())
    }
}

/// A worker that is told all but its store.
pub(crate) fn worker(farm: &Farm, name: &str, more: &[&str]) -> Process {
    start(Command::new(env!("CARGO_BIN_EXE_muster-farm")), farm, name, more)
}

/// A worker that cannot write more than some kilobytes to any file: keys do not fit its disk.
pub(crate) fn worker_on_a_full_disk(farm: &Farm, name: &str, more: &[&str]) -> Process {
    let mut command = Command::new("sh");
    let script = r#"trap '' XFSZ; ulimit -f 64; exec "$0" "$@""#;
    command.args(["-c", script, env!("CARGO_BIN_EXE_muster-farm")]);
    start(command, farm, name, more)
}

fn start(mut command: Command, farm: &Farm, name: &str, more: &[&str]) -> Process {
    let log = File::create(farm.dir.path().join(format!("{name}.log"))).unwrap();
    let child = command
        .args(["worker", "--store", &farm.place()])
        .args(["--slots", "1", "--max-memory", "4GiB", "--grace", "5"])
        .args(more)
        .env("MUSTER_PARAMS", farm.dir.path().join("srs"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap();
    Process(child)
}
