//! Memory: what a machine has, what a process took, what proofs may take, and sizes as people write them.

use std::fs;

use muster_prover::Memory;

/// Bytes of memory that this process may use: the machine's, or its control group's if that is
/// less.
pub fn physical() -> Option<u64> {
    let machine = kibibytes("/proc/meminfo", "MemTotal:");
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok());
    match (machine, group) {
        (Some(machine), Some(group)) => Some(machine.min(group)),
        (machine, _) => machine,
    }
}

/// The peak resident memory of this process, on Linux.
pub fn peak() -> Option<u64> {
    kibibytes("/proc/self/status", "VmHWM:")
}

/// The value of a line such as `VmHWM:  1234 kB`.
fn kibibytes(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// A number of bytes such as `8GiB`, `512MiB`, `2G` or `1500000000`.
pub fn parse(text: &str) -> Result<u64, String> {
    let usage = || format!("{text:?} is not a size: write, for example, 8GiB, 512MiB or 2GB");
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().map_err(|_| usage())?;
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1_048_576.0,
        "g" | "gib" => 1_073_741_824.0,
        "t" | "tib" => 1_099_511_627_776.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return Err(usage()),
    };
    let bytes = number * unit;
    if (1.0..=1e18).contains(&bytes) {
        Ok(bytes as u64)
    } else {
        Err(usage())
    }
}

/// Bytes for people.
pub fn human(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ if value < 10.0 => format!("{value:.2} {}", units[unit]),
        _ if value < 100.0 => format!("{value:.1} {}", units[unit]),
        _ => format!("{value:.0} {}", units[unit]),
    }
}

/// How much memory proofs may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// What is kept between the proofs of a key; if it is left open, as much as is of use and as the estimate allows.
    pub kept: Option<Memory>,
    /// The most bytes; if it is left open, 80% of the machine's.
    pub most: Option<u64>,
}

impl Allowance {
    /// Bytes that an estimate may not exceed, if the system tells how many there are.
    pub fn limit(self) -> Option<u64> {
        self.most.or_else(|| physical().map(|bytes| bytes / 5 * 4))
    }

    /// The same on other machines, where the memory of this one is no limit.
    pub fn elsewhere(self) -> Self {
        Self { most: self.most.or(Some(u64::MAX)), ..self }
    }

    /// What to keep for so many proofs, by the `estimate` of what that takes.
    pub fn choose(self, proofs: usize, estimate: impl Fn(Memory) -> u64) -> Memory {
        self.kept.unwrap_or_else(|| {
            let fits = self.limit().is_none_or(|limit| estimate(Memory::Fast) <= limit);
            if proofs > 1 && fits {
                Memory::Fast
            } else {
                Memory::Low
            }
        })
    }
}

/// The name of what is kept, as arguments and files have it.
pub fn name(memory: Memory) -> &'static str {
    match memory {
        Memory::Low => "low",
        Memory::Fast => "fast",
    }
}
