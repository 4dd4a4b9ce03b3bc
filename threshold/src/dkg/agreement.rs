//! Agreement on one certificate per epoch, which is up to the caller.

use std::collections::BTreeMap;

use super::Certificate;

/// Decides on one certificate for each epoch, the same for everybody who asks.
/// [`super::Node::accept`] checks the result again, so this is trusted only for liveness and for
/// deciding on only one.
pub trait Agreement {
    /// The certificate of its epoch: this one, unless another was decided before.
    fn decide(&mut self, certificate: Certificate) -> Certificate;
}

/// Agreement among nodes in one process: the first certificate wins.
#[derive(Debug, Default)]
pub struct InMemory {
    decided: BTreeMap<u64, Certificate>,
}

impl Agreement for InMemory {
    fn decide(&mut self, certificate: Certificate) -> Certificate {
        let epoch = certificate.proposal.epoch;
        self.decided.entry(epoch).or_insert(certificate).clone()
    }
}
