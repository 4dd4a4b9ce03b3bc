//! What the files of a sweep of proofs hold.

use super::{
    ask::Ask,
    plot,
    row::{Row, Status},
    table,
};
use crate::Plot;

/// The results of a sweep of proofs.
pub(super) type Results = crate::Results<Row>;

impl crate::Row for Row {
    const COLUMNS: &'static [&'static str] = &[
        "scheme",
        "degree",
        "advice",
        "lookup",
        "fixed",
        "signing",
        "signers",
        "mode",
        "keygen_s",
        "prove_s",
        "verify_s",
        "proof_bytes",
        "peak_bytes",
        "proving_key_bytes",
        "status",
        "smallest_degree",
        "estimate_bytes",
        "arity",
        "kind",
        "requested_degree",
        "requested_mode",
        "memory",
        "requested_memory",
        "keys",
        "rule",
        "message_form",
        "hash",
        "mask",
        "repeat",
        "srs",
        "witness_s",
        "commitments_s",
        "transforms_s",
        "arguments_s",
        "quotient_s",
        "openings_s",
        "reason",
    ];
    type Ask = Ask;

    fn ask(&self) -> Ask {
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

    /// What failed, or was over a limit of memory, may well end otherwise the next time.
    fn is_finished(&self) -> bool {
        matches!(self.status, Status::Ok | Status::DoesNotFit)
    }

    fn has_run(&self) -> bool {
        self.status == Status::Ok
    }

    fn outcome(&self) -> String {
        table::outcome(self)
    }

    fn draw(results: &Results) -> Result<String, String> {
        plot::draw(results)
    }

    const MORE_PLOTS: &'static [Plot<Self>] = &[("phases", plot::draw_phases)];
}
