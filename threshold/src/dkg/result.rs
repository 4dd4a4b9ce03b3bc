//! From the certified sum to threshold BLS: each share is a signer, at a root of unity.

use rand_core::OsRng;

use super::{Ceremony, Certified, Error};
use crate::{
    bls::{self, Group, Identities, MinSigBasicBls12381, PublicKey, SecretShare},
    pvss::{decrypt, dlog::Search, SecretKeys},
};

/// The group of a sum: its key is the committed secret's, signer number i holds share i.
///
/// # Errors
///
/// [`Error::OtherCeremony`], or [`Error::Group`] for a sum whose points are not keys, because one
/// of them is the identity, or are not on one polynomial.
pub fn group(ceremony: &Ceremony, sum: &Certified) -> Result<Group<MinSigBasicBls12381>, Error> {
    let sum = sum.of(ceremony)?;
    let shape = ceremony.session().shape();
    let key = PublicKey::from_bytes(&sum.public_key()).map_err(bls::Error::from)?;
    let bytes = (0..shape.shares()).filter_map(|share| sum.share_key(share));
    let signers = bytes.map(|bytes| PublicKey::from_bytes(&bytes));
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
