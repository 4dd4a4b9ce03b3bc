//! The machine that a sweep runs on.

use std::{
    fs,
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

use muster_engine::Backend;
use serde::{Deserialize, Serialize};

use super::memory;

/// Version of the proving system, as the lock file pins it (a test compares).
pub const HALO2_AXIOM: &str = "0.5.3";

/// The machine: without it, a time is worth nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the processor.
    pub processor: String,
    /// Processors that this process may use.
    pub cores: usize,
    /// Threads that compute.
    #[serde(default)]
    pub threads: Option<usize>,
    /// Rows that run at once, if they share the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
    /// The engine's backend; none if the environment asks for one that is not there.
    #[serde(default)]
    pub engine: Option<String>,
    /// Bytes of memory that this process may use, if the system says.
    pub memory: Option<u64>,
    /// Operating system and architecture.
    pub system: String,
    /// The release of the system's kernel.
    #[serde(default)]
    pub kernel: Option<String>,
    /// Versions of what proves.
    pub versions: Versions,
    /// When the sweep began, in UTC.
    pub date: String,
}

/// Versions of the proving software.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// Of muster.
    pub muster: String,
    /// Of halo2-axiom.
    #[serde(rename = "halo2-axiom")]
    pub halo2_axiom: String,
}

impl Machine {
    /// This machine, now.
    pub fn this() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads: Some(rayon::current_num_threads()),
            jobs: None,
            engine: Backend::from_env().ok().map(|backend| backend.name().to_owned()),
            memory: memory::physical(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            kernel: kernel(),
            versions: Versions {
                muster: env!("CARGO_PKG_VERSION").to_owned(),
                halo2_axiom: HALO2_AXIOM.to_owned(),
            },
            date: rfc3339(since_1970.map_or(0, |time| time.as_secs())),
        }
    }

    /// This machine as seen by a row that shares it: `jobs` rows at once, each with this many threads.
    pub fn shared_by(self, jobs: usize, threads: usize) -> Self {
        Self { threads: Some(threads), jobs: (jobs > 1).then_some(jobs), ..self }
    }

    /// Whether times taken on both compare: everything but the date is the same.
    pub fn is_like(&self, other: &Self) -> bool {
        Self { date: other.date.clone(), ..self.clone() } == *other
    }

    /// The machine in words, one property per line.
    pub fn lines(&self) -> Vec<String> {
        let memory = self.memory.map_or("unknown".to_owned(), memory::human);
        let threads = self.threads.map_or("unknown".to_owned(), |n| n.to_string());
        let mut lines = vec![
            format!("processor: {}", self.processor),
            format!("cores: {}", self.cores),
            format!("threads: {threads}"),
        ];
        lines.extend(self.jobs.map(|jobs| format!("rows at once: {jobs}")));
        lines.extend([
            format!("engine: {}", self.engine.as_deref().unwrap_or("unknown")),
            format!("memory: {memory}"),
            format!("system: {}", self.system),
            format!("kernel: {}", self.kernel.as_deref().unwrap_or("unknown")),
            format!(
                "versions: muster {}, halo2-axiom {}",
                self.versions.muster, self.versions.halo2_axiom
            ),
            format!("date: {}", self.date),
        ]);
        lines
    }

    /// The machine in one line, with everything that may tell it from another.
    pub fn details(&self) -> String {
        let kernel = self.kernel.as_ref().map(|kernel| format!(", kernel {kernel}"));
        let (kernel, version) = (kernel.unwrap_or_default(), &self.versions.muster);
        format!("{}, {}{kernel}, muster {version}", self.summary(), self.system)
    }

    /// The machine in one line.
    pub fn summary(&self) -> String {
        let cores = if self.cores == 1 { "1 core".into() } else { format!("{} cores", self.cores) };
        let memory = self.memory.map(|bytes| format!(", {}", memory::human(bytes)));
        let engine = self.engine.as_ref().map(|engine| format!(", engine {engine}"));
        let threads = self.threads.filter(|threads| *threads != self.cores);
        let threads = threads.map(|threads| match threads {
            1 => ", 1 thread".to_owned(),
            _ => format!(", {threads} threads"),
        });
        let jobs = self.jobs.map(|jobs| format!(", {jobs} rows at once"));
        let parts = [threads, jobs, memory, engine].map(Option::unwrap_or_default).concat();
        format!("{}, {cores}{parts}", self.processor)
    }
}

/// The release of the kernel, as `uname -r` has it.
fn kernel() -> Option<String> {
    let release = match fs::read_to_string("/proc/sys/kernel/osrelease") {
        Ok(release) => release,
        Err(_) => String::from_utf8(Command::new("uname").arg("-r").output().ok()?.stdout).ok()?,
    };
    Some(release.trim().to_owned()).filter(|release| !release.is_empty())
}

fn processor() -> String {
    let named = if cfg!(target_os = "macos") { from_sysctl() } else { from_cpuinfo() };
    named.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn from_cpuinfo() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let name = line.split_once(':')?.1.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}

fn from_sysctl() -> Option<String> {
    let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !name.is_empty()).then_some(name)
}

/// Seconds since 1970 in UTC, as RFC 3339 writes it: a date of the proleptic Gregorian calendar: years are counted from March,
/// so that the leap day ends one, and in eras of 400 years, which have 146,097 days.
pub(crate) fn rfc3339(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day + 2) / 153;
    let day = day - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let time = seconds % 86_400;
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
