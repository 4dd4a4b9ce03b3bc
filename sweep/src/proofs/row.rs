//! A row, as files hold it, and as people are shown it.

use muster_circuits::{KeyKind, MessageForm, PointHash};
use serde::{Deserialize, Serialize};

use super::{Ask, Case, Degree};
use crate::{memory::human, report, Results};

/// How a row ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    /// Proven and verified.
    Ok,
    /// The circuit does not fit the degree; `smallest_degree` is the least that it fits.
    DoesNotFit,
    /// The estimate of its peak memory is above the limit.
    OverMemory,
    /// It went wrong, or did not run yet; `reason` says how.
    #[default]
    Failed,
}

/// One row: what is asked for ([`Ask`]), the circuit, and what was measured ([`Measured`]). The order of the fields is that of
/// the columns in the CSV.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) scheme: String,
    /// log₂ of the rows of the circuit.
    pub(super) degree: Option<u32>,
    pub(super) advice: Option<usize>,
    pub(super) lookup: Option<usize>,
    pub(super) fixed: Option<usize>,
    pub(super) signing: usize,
    pub(super) signers: usize,
    pub(super) mode: Option<String>,
    pub(super) keygen_s: Option<f64>,
    pub(super) prove_s: Option<f64>,
    /// The least and the greatest time of the proofs of which `prove_s` is the median.
    pub(super) prove_min_s: Option<f64>,
    pub(super) prove_max_s: Option<f64>,
    pub(super) verify_s: Option<f64>,
    pub(super) proof_bytes: Option<u64>,
    /// Estimate of what a contract pays for a verification, its transaction apart, if one can.
    pub(super) gas: Option<u64>,
    pub(super) peak_bytes: Option<u64>,
    pub(super) proving_key_bytes: Option<u64>,
    pub(super) status: Status,
    /// The least degree that fits, if the one asked for does not.
    pub(super) smallest_degree: Option<u32>,
    /// Estimate of the peak memory, made before the row ran.
    pub(super) estimate_bytes: Option<u64>,
    pub(super) arity: usize,
    pub(super) kind: String,
    pub(super) requested_degree: Degree,
    pub(super) requested_mode: String,
    /// What is kept between proofs.
    pub(super) memory: Option<String>,
    #[serde(default = "auto")]
    pub(super) requested_memory: String,
    #[serde(default)]
    pub(super) keys: KeyKind,
    pub(super) rule: Option<String>,
    pub(super) message_form: Option<MessageForm>,
    pub(super) hash: Option<PointHash>,
    #[serde(default)]
    pub(super) mask: bool,
    /// Proofs of which `prove_s` is the median.
    pub(super) repeat: usize,
    pub(super) srs: Option<String>,
    #[serde(flatten)]
    pub(super) phases: Phases,
    pub(super) reason: Option<String>,
}

/// What rows asked for before there was a choice.
fn auto() -> String {
    "auto".to_owned()
}

impl Row {
    /// A row of which nothing is known yet but what it is asked for.
    pub(super) fn new(ask: &Ask, repeat: usize) -> Self {
        Self {
            scheme: ask.scheme.clone(),
            degree: ask.degree.fixed(),
            signing: ask.case.signing,
            signers: ask.case.signers,
            arity: ask.arity,
            kind: ask.kind.clone(),
            requested_degree: ask.degree,
            requested_mode: ask.mode.clone(),
            requested_memory: ask.memory.clone(),
            keys: ask.keys,
            rule: ask.rule.clone(),
            message_form: ask.message_form,
            hash: ask.hash,
            mask: ask.mask,
            repeat,
            ..Self::default()
        }
    }

    /// What it was asked for.
    pub(super) fn ask(&self) -> Ask {
        Ask {
            scheme: self.scheme.clone(),
            degree: self.requested_degree,
            case: self.case(),
            mode: self.requested_mode.clone(),
            keys: self.keys,
            rule: self.rule.clone(),
            message_form: self.message_form,
            hash: self.hash,
            mask: self.mask,
            arity: self.arity,
            kind: self.kind.clone(),
            memory: self.requested_memory.clone(),
        }
    }

    /// The scheme, the form of its messages and their hash to points if it has a choice, and whether there is a mask.
    pub(super) fn name(&self) -> String {
        let form = self.message_form.map(|form| format!(" {form}")).unwrap_or_default();
        let hash = self.hash.map(|hash| format!(" {hash}")).unwrap_or_default();
        let mask = if self.mask { " with a mask" } else { "" };
        format!("{}{form}{hash}{mask}", self.scheme)
    }

    /// How many sign, of how many.
    pub(super) fn case(&self) -> Case {
        Case { signing: self.signing, signers: self.signers }
    }

    /// Takes over what the row's process measured, or why it failed.
    pub(super) fn take(&mut self, outcome: Result<Measured, String>) {
        let Ok(measured) = outcome.map_err(|reason| self.reason = Some(reason)) else { return };
        self.keygen_s = Some(measured.keygen_s);
        self.prove_s = Some(measured.prove_s);
        (self.prove_min_s, self.prove_max_s) = (measured.prove_min_s, measured.prove_max_s);
        self.verify_s = Some(measured.verify_s);
        self.proof_bytes = Some(measured.proof_bytes);
        self.gas = measured.gas;
        self.peak_bytes = measured.peak_bytes;
        self.proving_key_bytes = Some(measured.proving_key_bytes);
        self.srs = Some(measured.srs);
        self.phases = measured.phases;
        self.status = Status::Ok;
    }
}

/// What the process of a row prints: one JSON object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// Seconds for the verifying and the proving key together.
    pub(super) keygen_s: f64,
    /// Seconds for a proof: the median.
    pub(super) prove_s: f64,
    /// The least and the greatest of them. Earlier versions did not say.
    pub(super) prove_min_s: Option<f64>,
    pub(super) prove_max_s: Option<f64>,
    /// Seconds for a verification: the median.
    pub(super) verify_s: f64,
    /// Length of a proof.
    pub(super) proof_bytes: u64,
    /// Estimate of what a contract pays for a verification, if one can.
    pub(super) gas: Option<u64>,
    /// Peak resident memory, where the system tells.
    pub(super) peak_bytes: Option<u64>,
    /// Size of the proving key in a file.
    pub(super) proving_key_bytes: u64,
    /// `ceremony` or `insecure`.
    pub(super) srs: String,
    /// Where the time of a proof goes.
    pub(super) phases: Phases,
}

/// Seconds of a proof by phase: medians, each of its own. All or none are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Phases {
    /// Filling the circuit.
    pub(super) witness_s: Option<f64>,
    /// Multi-scalar multiplications.
    pub(super) commitments_s: Option<f64>,
    /// From values to coefficients and back.
    pub(super) transforms_s: Option<f64>,
    /// The columns of the permutation and of lookups.
    pub(super) arguments_s: Option<f64>,
    /// The constraints on cosets.
    pub(super) quotient_s: Option<f64>,
    /// Values at the challenges, and the quotients that show them.
    pub(super) openings_s: Option<f64>,
}

/// A phase by its name, and its seconds.
pub(super) type Field = (&'static str, fn(&Phases) -> Option<f64>);

impl Phases {
    /// The phases.
    pub(super) const FIELDS: [Field; 6] = [
        ("witness", |phases| phases.witness_s),
        ("commitments", |phases| phases.commitments_s),
        ("transforms", |phases| phases.transforms_s),
        ("arguments", |phases| phases.arguments_s),
        ("quotient", |phases| phases.quotient_s),
        ("openings", |phases| phases.openings_s),
    ];
}

/// What came of a row, in a few words.
pub(super) fn outcome(row: &Row) -> String {
    match row.status {
        Status::Ok => format!(
            "{}{} + {} columns, prove {}, peak {}",
            match row.requested_degree {
                Degree::Auto => format!("2^{}, ", cell(row.degree)),
                Degree::Fixed(_) => String::new(),
            },
            cell(row.advice),
            cell(row.lookup),
            seconds(row.prove_s),
            bytes(row.peak_bytes)
        ),
        Status::DoesNotFit => {
            format!("does not fit; the smallest degree that fits is {}", cell(row.smallest_degree))
        }
        Status::OverMemory => {
            format!("not run: it would take about {} of memory", bytes(row.estimate_bytes))
        }
        Status::Failed => format!("failed: {}", cell(row.reason.as_ref())),
    }
}

/// All rows as a table. A row without times ends with its outcome.
pub(super) fn table(results: &Results<Row>) -> String {
    let head = [
        "scheme", "case", "mode", "degree", "advice", "lookup", "fixed", "keygen", "prove",
        "verify", "proof", "peak", "key",
    ];
    results.align(&head, &[0, 1, 2], |row| match row.status {
        Status::Ok => (cells(row), String::new()),
        _ => (cells(row)[..4].to_vec(), outcome(row)),
    })
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.name(),
        row.case().to_string(),
        row.mode.clone().unwrap_or_else(|| row.requested_mode.clone()),
        cell(row.degree),
        cell(row.advice),
        cell(row.lookup),
        cell(row.fixed),
        seconds(row.keygen_s),
        seconds(row.prove_s),
        seconds(row.verify_s),
        row.proof_bytes.map_or_else(dash, |bytes| format!("{bytes} B")),
        bytes(row.peak_bytes),
        bytes(row.proving_key_bytes),
    ]
}

fn dash() -> String {
    "-".to_owned()
}

fn cell<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(dash, |value| value.to_string())
}

fn bytes(value: Option<u64>) -> String {
    value.map_or_else(dash, human)
}

/// Seconds with three digits that count.
pub(super) fn seconds(value: Option<f64>) -> String {
    value.map_or_else(dash, report::seconds)
}
