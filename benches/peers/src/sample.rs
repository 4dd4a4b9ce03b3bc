//! What all measurements have in common.

/// Every key, signature and SRS here comes from this seed: insecure by design, equal in each run.
pub(crate) const SEED: u64 = 0x6d75_7374_6572;

/// Bytes of the message of Ed25519's signatures: as long as what NEAR's validators sign.
pub(crate) const ED25519_MESSAGE_BYTES: usize = 41;

/// A committee is twice as large as its quorum, here and in the sweep of muster.
pub(crate) const fn committee_size(signatures: usize) -> usize {
    2 * signatures
}
