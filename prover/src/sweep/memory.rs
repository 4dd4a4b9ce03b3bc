//! Memory: what a machine has, what a process took, what a proof will take.

use std::fs;

/// What the columns of a circuit come to, as far as memory and time depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// log₂ of the rows.
    pub(crate) degree: u32,
    /// Advice columns.
    pub(crate) advice: usize,
    /// Fixed columns.
    pub(crate) fixed: usize,
    /// Lookup arguments.
    pub(crate) lookups: usize,
    /// Columns in the permutation argument.
    pub(crate) permutation: usize,
}

/// The quotient is computed on so many cosets: gates have degree 5.
const COSETS: u64 = 4;
/// Permutation columns that share a product polynomial: the degree of the gates less 2.
const CHUNK: u64 = 3;
/// Bytes of a field element.
const SCALAR: u64 = 32;
/// Program, threads and buffers.
const BASE: u64 = 20 << 20;
/// What allocators keep beyond what is asked of them, in percent of it. Chosen so that the estimate
/// is never below the peaks measured for Schnorr and MuSig, 8/16 to 128/256, degrees 11 to 16;
/// where they were over 40 MiB it is at most 25% above them.
const SLACK: u64 = 35;

impl Size {
    /// An estimate of the peak memory of key generation, proof and verification in one process,
    /// from what halo2 holds at its fullest moment.
    pub(crate) fn peak_bytes(&self) -> u64 {
        let polynomial = SCALAR << self.degree;
        let polynomials = self.keygen().max(self.witness()).max(self.quotient());
        BASE + polynomial * polynomials / 100 * (100 + SLACK)
    }

    /// Polynomials that stay: the SRS (two bases of 64-byte points), the twiddle factors (of the
    /// domain, its double and its extension, there and back), and the proving key with the values
    /// and the coefficients of each column.
    fn resident(&self) -> u64 {
        let srs = 4;
        let twiddles = 2 * (1 + 2 + COSETS);
        srs + twiddles + 2 * self.fixed() + 2 * self.permutation() + 3
    }

    /// While keys are made: the domain once more, the copies as three words a cell and their clone.
    fn keygen(&self) -> u64 {
        let twiddles = 2 * (1 + 2 + COSETS);
        self.resident() + twiddles + self.permutation() * 5 / 2
    }

    /// While the witness is assigned: cells as fractions (9 words), the columns, and the cells and
    /// copies of the virtual regions, about 12 words a cell.
    fn witness(&self) -> u64 {
        self.resident() + self.advice() * (9 + 4 + 12) / 4
    }

    /// While the quotient is computed: each column, its coset, and the parts of the quotient.
    fn quotient(&self) -> u64 {
        let products = self.permutation().div_ceil(CHUNK);
        let instance = 2;
        let held = self.advice() + products + 3 * self.lookups() + instance + 1;
        let coset = self.fixed() + self.advice() + self.permutation() + products + 3 + 3 + 2;
        self.resident() + held + coset + 2 * COSETS
    }

    /// Seconds of a proof on two cores, by the measured `0.6 + 0.16·A + 0.2·L` at 2^15 rows. Only
    /// the proportions matter: a sweep learns the machine's speed from its own rows.
    pub(crate) fn seconds(&self) -> f64 {
        let columns = 0.6 + 0.16 * self.advice as f64 + 0.2 * self.lookups as f64;
        columns * f64::from(self.degree).exp2() / f64::from(15).exp2()
    }

    fn advice(&self) -> u64 {
        self.advice as u64
    }

    fn fixed(&self) -> u64 {
        self.fixed as u64
    }

    fn lookups(&self) -> u64 {
        self.lookups as u64
    }

    fn permutation(&self) -> u64 {
        self.permutation as u64
    }
}

/// Bytes of memory that this process may use: the machine's, or its control group's if that is
/// less.
pub(crate) fn physical() -> Option<u64> {
    let machine = kibibytes("/proc/meminfo", "MemTotal:");
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok());
    match (machine, group) {
        (Some(machine), Some(group)) => Some(machine.min(group)),
        (machine, _) => machine,
    }
}

/// The most resident memory that this process ever had, on Linux.
pub(crate) fn peak() -> Option<u64> {
    kibibytes("/proc/self/status", "VmHWM:")
}

/// The value of a line such as `VmHWM:  1234 kB`.
fn kibibytes(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// A number of bytes such as `8GiB`, `512MiB`, `2G` or `1500000000`.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let usage = || format!("{text:?} is no size: write for example 8GiB, 512MiB or 2GB");
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
pub(crate) fn human(bytes: u64) -> String {
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
