//! The two rounds, the aggregation, and the verification.

use rand_core::CryptoRngCore;

use super::{by_participant, one, Ceremony, StepError};
use crate::frost::{
    aggregate,
    files::{
        CommitmentFile, GroupFile, Hex, NoncesFile, ShareFile, SignatureFile, SignatureShareFile,
    },
    sign,
    suite::in_suite,
    verify, Package, Suite,
};

/// The steps of a signature.
impl Ceremony {
    /// A member's first round: nonces, which are secret and for one signature only, and the commitment
    /// to them for the coordinator.
    ///
    /// # Errors
    ///
    /// Those of [`sign::commit`], and those of decoding a document.
    pub fn commit(
        self,
        share: &ShareFile,
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<(NoncesFile, CommitmentFile), StepError> {
        in_suite!(self.0, C, {
            let share = one("share", share.decode::<C>())?;
            let (nonces, commitment) = sign::commit(&share, &mut rng)?;
            let nonces = NoncesFile::encode(&share, &nonces)?;
            Ok((nonces, CommitmentFile::encode(&share, &commitment)?))
        })
    }

    /// A member's second round: its share of the signature. The commitments are the list that the
    /// coordinator sends to all signers. The nonces are taken by value: a second signature with
    /// them would give the secret share away. The caller keeps [`NoncesFile::used_up`] instead,
    /// before anyone has the share.
    ///
    /// # Errors
    ///
    /// Those of [`sign::sign`], and those of decoding a document.
    pub fn sign(
        self,
        share: &ShareFile,
        nonces: NoncesFile,
        commitments: &[CommitmentFile],
        message: &[u8],
    ) -> Result<SignatureShareFile, StepError> {
        in_suite!(self.0, C, {
            let package = package::<C>(share.public_key(), commitments, message)?;
            let share = one("share", share.decode::<C>())?;
            let nonces = one("nonces", nonces.decode(&share))?;
            let signed = sign::sign(&package, nonces, &share)?;
            Ok(SignatureShareFile::encode(&share, &signed)?)
        })
    }

    /// The coordinator's step: the group's signature.
    ///
    /// # Errors
    ///
    /// Those of [`aggregate`], and those of decoding a document.
    pub fn aggregate(
        self,
        group: &GroupFile,
        commitments: &[CommitmentFile],
        shares: &[SignatureShareFile],
        message: &[u8],
    ) -> Result<SignatureFile, StepError> {
        let key = group.public_key();
        in_suite!(self.0, C, {
            let group = one("group", group.decode::<C>())?;
            let package = package(key, commitments, message)?;
            let read = |share: &SignatureShareFile| share.decode::<C>(key);
            let shares = by_participant("shares", shares, read)?;
            let signature = aggregate(&package, &shares, &group)?;
            Ok(SignatureFile::encode(group.verifying_key(), message, &signature)?)
        })
    }

    /// Checks that a signature is the group's, on this message.
    ///
    /// # Errors
    ///
    /// [`FrostError::Signature`](crate::frost::FrostError::Signature) if it is not; those of
    /// decoding a document.
    pub fn verify(
        self,
        group: &GroupFile,
        message: &[u8],
        signature: &SignatureFile,
    ) -> Result<(), StepError> {
        let key = group.public_key();
        in_suite!(self.0, C, {
            let group = one("group", group.decode::<C>())?;
            let signature = one("signature", signature.decode::<C>(key, message))?;
            Ok(verify(message, &signature, group.verifying_key())?)
        })
    }
}

/// The package of these commitments, all for the group of this key.
fn package<C: Suite>(
    key: &Hex,
    commitments: &[CommitmentFile],
    message: &[u8],
) -> Result<Package<C>, StepError> {
    let read = |commitment: &CommitmentFile| commitment.decode::<C>(key);
    Ok(Package::new(by_participant("commitments", commitments, read)?, message))
}
