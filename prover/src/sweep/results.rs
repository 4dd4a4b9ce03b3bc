//! The rows of a sweep, as files hold them.

use muster_circuits::KeyKind;
use serde::{Deserialize, Serialize};

use super::{
    ask::{Ask, Case, Degree},
    machine::Machine,
};

/// How a row ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// Proven and verified.
    Ok,
    /// The circuit does not fit the degree; `smallest_degree` is the least that it fits.
    DoesNotFit,
    /// The estimate of its peak memory is above the limit.
    OverMemory,
    /// It went wrong; `reason` says how.
    Failed,
}

/// One row. The order of the fields is that of the columns in the CSV.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Name of the scheme.
    pub(crate) scheme: String,
    /// log₂ of the rows of the circuit.
    pub(crate) degree: Option<u32>,
    /// Advice columns.
    pub(crate) advice: Option<usize>,
    /// Lookup arguments.
    pub(crate) lookup: Option<usize>,
    /// Fixed columns.
    pub(crate) fixed: Option<usize>,
    /// How many sign.
    pub(crate) signing: usize,
    /// Members of the set.
    pub(crate) signers: usize,
    /// Membership mode.
    pub(crate) mode: Option<String>,
    /// Seconds for the verifying and the proving key together.
    pub(crate) keygen_s: Option<f64>,
    /// Seconds for a proof: the median.
    pub(crate) prove_s: Option<f64>,
    /// Seconds for a verification: the median.
    pub(crate) verify_s: Option<f64>,
    /// Length of a proof.
    pub(crate) proof_bytes: Option<u64>,
    /// Peak resident memory of the row's own process.
    pub(crate) peak_bytes: Option<u64>,
    /// Size of the proving key in a file.
    pub(crate) proving_key_bytes: Option<u64>,
    /// How the row ended.
    pub(crate) status: Status,
    /// The least degree that fits, if the one asked for does not.
    pub(crate) smallest_degree: Option<u32>,
    /// Estimate of the peak memory, made before the row ran.
    pub(crate) estimate_bytes: Option<u64>,
    /// Children of a tree node.
    pub(crate) arity: usize,
    /// Hash of the transcript.
    pub(crate) transcript: String,
    /// Degree asked for.
    pub(crate) requested_degree: Degree,
    /// Mode asked for.
    pub(crate) requested_mode: String,
    /// How the set names its members.
    #[serde(default)]
    pub(crate) keys: KeyKind,
    /// Rule on s, for a scheme with a choice of it.
    #[serde(default)]
    pub(crate) rule: Option<String>,
    /// Proofs of which `prove_s` is the median.
    pub(crate) repeat: usize,
    /// `ceremony` or `insecure`.
    pub(crate) srs: Option<String>,
    /// What went wrong.
    pub(crate) reason: Option<String>,
}

impl Row {
    /// A row of which nothing is known yet but what it is asked for.
    pub(crate) fn new(ask: &Ask, repeat: usize) -> Self {
        Self {
            scheme: ask.scheme.clone(),
            degree: ask.degree.fixed(),
            advice: None,
            lookup: None,
            fixed: None,
            signing: ask.case.signing,
            signers: ask.case.signers,
            mode: None,
            keygen_s: None,
            prove_s: None,
            verify_s: None,
            proof_bytes: None,
            peak_bytes: None,
            proving_key_bytes: None,
            status: Status::Failed,
            smallest_degree: None,
            estimate_bytes: None,
            arity: ask.arity,
            transcript: ask.transcript.clone(),
            requested_degree: ask.degree,
            requested_mode: ask.mode.clone(),
            keys: ask.keys,
            rule: ask.rule.clone(),
            repeat,
            srs: None,
            reason: None,
        }
    }

    /// What the row was asked for.
    pub(crate) fn ask(&self) -> Ask {
        Ask {
            scheme: self.scheme.clone(),
            degree: self.requested_degree,
            case: self.case(),
            mode: self.requested_mode.clone(),
            keys: self.keys,
            rule: self.rule.clone(),
            arity: self.arity,
            transcript: self.transcript.clone(),
        }
    }

    /// How many sign, of how many.
    pub(crate) fn case(&self) -> Case {
        Case { signing: self.signing, signers: self.signers }
    }

    /// Whether running the row again would tell nothing new. What failed, or was over a limit of
    /// memory, may well end otherwise the next time.
    pub(crate) fn is_finished(&self) -> bool {
        matches!(self.status, Status::Ok | Status::DoesNotFit)
    }

    /// Takes over what the row's process measured.
    pub(crate) fn measured(&mut self, measured: Measured) {
        self.keygen_s = Some(measured.keygen_s);
        self.prove_s = Some(measured.prove_s);
        self.verify_s = Some(measured.verify_s);
        self.proof_bytes = Some(measured.proof_bytes);
        self.peak_bytes = measured.peak_bytes;
        self.proving_key_bytes = Some(measured.proving_key_bytes);
        self.srs = Some(measured.srs);
        self.status = Status::Ok;
        self.reason = None;
    }
}

/// What the process of a row prints: one JSON object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// Seconds for the verifying and the proving key together.
    pub(crate) keygen_s: f64,
    /// Seconds for a proof: the median.
    pub(crate) prove_s: f64,
    /// Seconds for a verification: the median.
    pub(crate) verify_s: f64,
    /// Length of a proof.
    pub(crate) proof_bytes: u64,
    /// Peak resident memory, where the system tells.
    pub(crate) peak_bytes: Option<u64>,
    /// Size of the proving key in a file.
    pub(crate) proving_key_bytes: u64,
    /// `ceremony` or `insecure`.
    pub(crate) srs: String,
}

/// A sweep: the machine and the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Results {
    /// The machine of the newest rows.
    pub(crate) machine: Machine,
    /// Machines, or versions, of rows that a resumed sweep took over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier_machines: Vec<Machine>,
    /// The rows.
    pub(crate) rows: Vec<Row>,
}

impl Results {
    /// A sweep without rows.
    pub(crate) fn new(machine: Machine) -> Self {
        Self { machine, earlier_machines: Vec::new(), rows: Vec::new() }
    }

    /// Goes on with these results on `machine`. Returns whether it is another than before.
    pub(crate) fn resume_on(&mut self, machine: Machine) -> bool {
        let before = std::mem::replace(&mut self.machine, machine);
        let differs = !before.is_like(&self.machine);
        if differs && !self.rows.is_empty() {
            self.earlier_machines.push(before);
        }
        differs && !self.rows.is_empty()
    }

    /// The finished row of what is asked for.
    pub(crate) fn finished(&self, ask: &Ask) -> Option<&Row> {
        self.rows.iter().find(|row| row.is_finished() && row.ask() == *ask)
    }

    /// Adds a row, or replaces the one of the same request.
    pub(crate) fn put(&mut self, row: Row) {
        let ask = row.ask();
        match self.rows.iter_mut().find(|old| old.ask() == ask) {
            Some(old) => *old = row,
            None => self.rows.push(row),
        }
    }
}

/// The median of some seconds, in whole microseconds.
pub(crate) fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    let (low, high) = (seconds.len().saturating_sub(1) / 2, seconds.len() / 2);
    let at = |place: usize| seconds.get(place).copied().unwrap_or_default();
    rounded((at(low) + at(high)) / 2.0)
}

/// Seconds without the digits that no clock of ours can tell: whole microseconds.
pub(crate) fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
