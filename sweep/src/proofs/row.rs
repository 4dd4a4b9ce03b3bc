//! A row, as files hold it.

use muster_circuits::{KeyKind, MessageForm, PointHash};
use serde::{Deserialize, Serialize};

use super::{
    ask::{Ask, Case, Degree},
    phases::Phases,
};

/// How a row ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
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
pub(super) struct Row {
    /// Name of the scheme.
    pub(super) scheme: String,
    /// log₂ of the rows of the circuit.
    pub(super) degree: Option<u32>,
    /// Advice columns.
    pub(super) advice: Option<usize>,
    /// Lookup arguments.
    pub(super) lookup: Option<usize>,
    /// Fixed columns.
    pub(super) fixed: Option<usize>,
    /// How many sign.
    pub(super) signing: usize,
    /// Members of the set.
    pub(super) signers: usize,
    /// Membership mode.
    pub(super) mode: Option<String>,
    /// Seconds for the verifying and the proving key together.
    pub(super) keygen_s: Option<f64>,
    /// Seconds for a proof: the median.
    pub(super) prove_s: Option<f64>,
    /// Seconds for a verification: the median.
    pub(super) verify_s: Option<f64>,
    /// Length of a proof.
    pub(super) proof_bytes: Option<u64>,
    /// Peak resident memory of the row's own process.
    pub(super) peak_bytes: Option<u64>,
    /// Size of the proving key in a file.
    pub(super) proving_key_bytes: Option<u64>,
    /// How the row ended.
    pub(super) status: Status,
    /// The least degree that fits, if the one asked for does not.
    pub(super) smallest_degree: Option<u32>,
    /// Estimate of the peak memory, made before the row ran.
    pub(super) estimate_bytes: Option<u64>,
    /// Children of a tree node.
    pub(super) arity: usize,
    /// Format of the proofs.
    pub(super) kind: String,
    /// Degree asked for.
    pub(super) requested_degree: Degree,
    /// Mode asked for.
    pub(super) requested_mode: String,
    /// What is kept between proofs.
    #[serde(default)]
    pub(super) memory: Option<String>,
    /// What was asked for of it.
    #[serde(default = "auto")]
    pub(super) requested_memory: String,
    /// How the set names its members.
    #[serde(default)]
    pub(super) keys: KeyKind,
    /// Rule by which signatures are accepted, for a scheme with a choice of it.
    #[serde(default)]
    pub(super) rule: Option<String>,
    /// What of a message is public, if it is not the message itself.
    #[serde(default)]
    pub(super) message_form: Option<MessageForm>,
    /// How messages are hashed to points, if not in the default way.
    #[serde(default)]
    pub(super) hash: Option<PointHash>,
    /// Whether statements say who signed.
    #[serde(default)]
    pub(super) mask: bool,
    /// Proofs of which `prove_s` is the median.
    pub(super) repeat: usize,
    /// `ceremony` or `insecure`.
    pub(super) srs: Option<String>,
    /// Where the time of a proof goes.
    #[serde(flatten)]
    pub(super) phases: Phases,
    /// What went wrong.
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
            kind: ask.kind.clone(),
            requested_degree: ask.degree,
            requested_mode: ask.mode.clone(),
            memory: None,
            requested_memory: ask.memory.clone(),
            keys: ask.keys,
            rule: ask.rule.clone(),
            message_form: ask.message_form,
            hash: ask.hash,
            mask: ask.mask,
            repeat,
            srs: None,
            phases: Phases::default(),
            reason: None,
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

    /// Takes over what the row's process measured.
    pub(super) fn measured(&mut self, measured: Measured) {
        self.keygen_s = Some(measured.keygen_s);
        self.prove_s = Some(measured.prove_s);
        self.verify_s = Some(measured.verify_s);
        self.proof_bytes = Some(measured.proof_bytes);
        self.peak_bytes = measured.peak_bytes;
        self.proving_key_bytes = Some(measured.proving_key_bytes);
        self.srs = Some(measured.srs);
        self.phases = measured.phases;
        self.status = Status::Ok;
        self.reason = None;
    }
}

/// What the process of a row prints: one JSON object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// Seconds for the verifying and the proving key together.
    pub(super) keygen_s: f64,
    /// Seconds for a proof: the median.
    pub(super) prove_s: f64,
    /// Seconds for a verification: the median.
    pub(super) verify_s: f64,
    /// Length of a proof.
    pub(super) proof_bytes: u64,
    /// Peak resident memory, where the system tells.
    pub(super) peak_bytes: Option<u64>,
    /// Size of the proving key in a file.
    pub(super) proving_key_bytes: u64,
    /// `ceremony` or `insecure`.
    pub(super) srs: String,
    /// Where the time of a proof goes.
    pub(super) phases: Phases,
}
