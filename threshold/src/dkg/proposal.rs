//! What players agree on: a set of dealers, their dealings and the sum; and what they make of it.

use std::collections::BTreeMap;

use blst::min_pk::{AggregateSignature, Signature};
use blst::BLST_ERROR;
use muster_schemes::signature::bls::tags;
use rand_core::OsRng;
use sha2::{Digest, Sha256};

use super::{Ceremony, Error};
use crate::{
    bls::{self, Group, Identities, MinSigBasicBls12381, SecretShare},
    pvss::{bitmap, decrypt, dlog::Search, SecretKeys, Subtranscript, SIGNATURE_BYTES},
};

const PROPOSAL_TAG: &[u8] = b"muster-dkg-proposal-v1";
const ATTESTATION_TAG: &[u8] = b"muster-dkg-attestation-v1";

/// A set of dealers with the digest of each one's dealing, and the digest of the sum. With the
/// digests, a dealer that signed two dealings cannot make players mean different ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The ceremony's digest.
    pub ceremony: [u8; 32],
    /// The epoch.
    pub epoch: u64,
    /// The dealers, ascending, from 1.
    pub dealers: Vec<usize>,
    /// The digest of each one's dealing, in the same order.
    pub dealings: Vec<[u8; 32]>,
    /// The digest of the sum.
    pub sum: [u8; 32],
}

impl Proposal {
    /// Checks everything that can be checked without the dealings.
    ///
    /// # Errors
    ///
    /// [`Error::OtherCeremony`], [`Error::Dealers`] or [`Error::LightDealers`].
    pub fn check(&self, ceremony: &Ceremony) -> Result<(), Error> {
        if self.ceremony != *ceremony.digest() || self.epoch != ceremony.session().epoch() {
            return Err(Error::OtherCeremony);
        }
        if self.dealings.len() != self.dealers.len() {
            return Err(Error::Dealers);
        }
        ceremony.check_contributors(&self.dealers)
    }

    /// What attesters sign: the epoch, the dealers as a bitmap and the hash of everything. The
    /// caller has checked the proposal.
    pub(super) fn message(&self, ceremony: &Ceremony) -> Vec<u8> {
        let players = bitmap(&self.dealers, ceremony.session().shape().players());
        let mut hash = Sha256::new();
        hash.update(PROPOSAL_TAG);
        hash.update(self.epoch.to_le_bytes());
        hash.update(self.ceremony);
        hash.update(&players);
        self.dealings.iter().for_each(|digest| hash.update(digest));
        hash.update(self.sum);
        let mut message = ATTESTATION_TAG.to_vec();
        message.extend(self.epoch.to_le_bytes());
        message.extend(players);
        message.extend(hash.finalize());
        message
    }
}

/// A player's signature on a proposal that it checked against the dealings that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attestation {
    /// The player, from 1.
    pub player: usize,
    /// Its signature.
    pub signature: [u8; SIGNATURE_BYTES],
}

impl Attestation {
    pub(super) fn sign(
        ceremony: &Ceremony,
        proposal: &Proposal,
        player: usize,
        keys: &SecretKeys,
    ) -> Self {
        Self { player, signature: keys.sign(&proposal.message(ceremony)) }
    }

    /// Checks the signature.
    ///
    /// # Errors
    ///
    /// As [`Proposal::check`], [`Error::Sharing`] for someone who is not a player, or
    /// [`Error::Attestation`].
    pub fn verify(&self, ceremony: &Ceremony, proposal: &Proposal) -> Result<(), Error> {
        proposal.check(ceremony)?;
        let keys = ceremony.session().player(self.player)?;
        let is_signed = keys.verify(&proposal.message(ceremony), &self.signature);
        is_signed.then_some(()).ok_or(Error::Attestation { player: self.player })
    }
}

/// A proposal with attestations of enough stake: at least one honest player has checked it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What was attested.
    pub proposal: Proposal,
    /// Who attested, ascending, from 1.
    pub attesters: Vec<usize>,
    /// The sum of their signatures.
    pub signature: [u8; SIGNATURE_BYTES],
}

impl Certificate {
    /// Combines attestations. Each one is checked; those of one player count once. Those that do
    /// not verify are left out: anyone can send one in somebody else's name.
    ///
    /// # Errors
    ///
    /// [`Error::LightAttesters`]; as [`Attestation::verify`], for the first that is left out, if
    /// the others are too few.
    pub fn new(
        ceremony: &Ceremony,
        proposal: Proposal,
        attestations: &[Attestation],
    ) -> Result<Self, Error> {
        proposal.check(ceremony)?;
        let (mut chosen, mut left_out): (Vec<&Attestation>, _) = (vec![], None);
        for made in attestations {
            match made.verify(ceremony, &proposal) {
                Ok(()) => chosen.push(made),
                Err(error) => {
                    left_out.get_or_insert(error);
                }
            }
        }
        chosen.sort_by_key(|made| made.player);
        chosen.dedup_by_key(|made| made.player);
        let attesters: Vec<usize> = chosen.iter().map(|made| made.player).collect();
        ceremony.check_attesters(&attesters).map_err(|error| left_out.unwrap_or(error))?;
        let decode = |made: &&Attestation| Signature::sig_validate(&made.signature, true);
        let signatures: Vec<Signature> =
            chosen.iter().map(decode).collect::<Result<_, _>>().map_err(|_| Error::Certificate)?;
        let all: Vec<&Signature> = signatures.iter().collect();
        let sum = AggregateSignature::aggregate(&all, false).map_err(|_| Error::Certificate)?;
        Ok(Self { proposal, attesters, signature: sum.to_signature().to_bytes() })
    }

    /// Checks the certificate and that `sum` is what it certifies.
    ///
    /// # Errors
    ///
    /// As [`Proposal::check`]; [`Error::Dealers`] for attesters that are not players,
    /// [`Error::LightAttesters`], [`Error::Certificate`], [`Error::OtherSum`], or
    /// [`Error::Sharing`] as [`Subtranscript::check`].
    pub fn verify(&self, ceremony: &Ceremony, sum: &Subtranscript) -> Result<Certified, Error> {
        let proposal = &self.proposal;
        proposal.check(ceremony)?;
        ceremony.check_attesters(&self.attesters)?;
        let session = ceremony.session();
        let key = |player: &usize| Ok(&session.player(*player)?.signing);
        let keys = self.attesters.iter().map(key).collect::<Result<Vec<_>, Error>>()?;
        let signature =
            Signature::sig_validate(&self.signature, true).map_err(|_| Error::Certificate)?;
        // Keys have proofs of possession: the plain sum of them is safe.
        let message = proposal.message(ceremony);
        let verdict = signature.fast_aggregate_verify(false, &message, tags::ETHEREUM, &keys);
        if verdict != BLST_ERROR::BLST_SUCCESS {
            return Err(Error::Certificate);
        }
        if sum.dealers() != proposal.dealers || sum.digest(session) != proposal.sum {
            return Err(Error::OtherSum);
        }
        sum.check()?;
        Ok(Certified { ceremony: *ceremony.digest(), sum: sum.clone() })
    }
}

/// A sum whose certificate was verified. Shares and the group are made only from such a sum:
/// somebody could know the secret of any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    ceremony: [u8; 32],
    sum: Subtranscript,
}

impl Certified {
    /// The sum.
    pub fn sum(&self) -> &Subtranscript {
        &self.sum
    }

    /// The sum, if it belongs to that ceremony.
    fn of(&self, ceremony: &Ceremony) -> Result<&Subtranscript, Error> {
        (self.ceremony == *ceremony.digest()).then_some(&self.sum).ok_or(Error::OtherCeremony)
    }
}

/// The group of a sum for threshold BLS: its key is the committed secret's, and signer i, at a root of
/// unity, holds share i.
///
/// # Errors
///
/// [`Error::OtherCeremony`], or [`Error::Group`] for a sum whose points are not keys, because one
/// of them is the identity, or are not on one polynomial.
pub fn group(ceremony: &Ceremony, sum: &Certified) -> Result<Group<MinSigBasicBls12381>, Error> {
    let sum = sum.of(ceremony)?;
    let shape = ceremony.session().shape();
    let key = bls::PublicKey::from_bytes(&sum.public_key()).map_err(bls::Error::from)?;
    let bytes = (0..shape.shares()).filter_map(|share| sum.share_key(share));
    let signers = bytes.map(|bytes| bls::PublicKey::from_bytes(&bytes));
    let signers = signers.collect::<Result<Vec<_>, _>>().map_err(bls::Error::from)?;
    let roots = Identities::RootsOfUnity;
    Ok(Group::new(roots, shape.threshold(), key, signers, &mut OsRng)?)
}

/// A player's shares of a certified sum, as signers of the group.
///
/// # Errors
///
/// [`Error::OtherCeremony`], or as [`decrypt`].
pub fn shares(
    ceremony: &Ceremony,
    sum: &Certified,
    player: usize,
    keys: &SecretKeys,
    search: &Search,
) -> Result<Vec<SecretShare<MinSigBasicBls12381>>, Error> {
    let shares = decrypt(ceremony.session(), sum.of(ceremony)?, player, keys, search)?;
    Ok(shares.iter().map(|share| share.to_signing_share()).collect::<Result<_, _>>()?)
}

/// Agreement among nodes in one process: the first certificate of an epoch is the one for
/// everybody. Elsewhere the caller agrees in its own way. [`super::Node::accept`] checks the
/// result again, so agreement is trusted only for liveness and for deciding on only one.
#[derive(Debug, Default)]
pub struct InMemoryAgreement {
    decided: BTreeMap<u64, Certificate>,
}

impl InMemoryAgreement {
    /// The certificate of its epoch: this one, unless another was decided before.
    pub fn decide(&mut self, certificate: Certificate) -> Certificate {
        let epoch = certificate.proposal.epoch;
        self.decided.entry(epoch).or_insert(certificate).clone()
    }
}
