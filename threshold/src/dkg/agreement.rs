//! Agreement on one certificate an epoch, which is the caller's.

use std::collections::BTreeMap;

use super::Certificate;

/// Decides one certificate for each epoch: the same for everybody who asks. What it is given is checked by
/// [`super::Node::accept`] again, so that it is trusted with liveness and with being one, and nothing else.
pub trait Agreement {
    /// The certificate of its epoch: this one, if no other one was decided before.
    fn decide(&mut self, certificate: Certificate) -> Certificate;
}

/// Agreement among nodes of one process: the first certificate wins.
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
