//! Dealing.

use ff::Field as _;
use rand_core::CryptoRngCore;

#[cfg(test)]
use super::witness::evaluate;
use super::{
    prove,
    session::Session,
    witness::{Statement, Witness},
    Dealt, Error, SecretKeys,
};
use crate::pairing_curve::{Fr, Secret};

/// Deals a secret other than zero, as player `dealer`.
///
/// # Errors
///
/// [`Error::BadSecret`] for zero, [`Error::UnknownPlayer`], or [`Error::OtherKey`] if the keys are not
/// that player's.
pub fn deal(
    session: &Session,
    dealer: usize,
    keys: &SecretKeys,
    secret: &Fr,
    rng: &mut impl CryptoRngCore,
) -> Result<Dealt, Error> {
    let own = session.player(dealer)?;
    if own.bytes[1] != keys.signing_key() {
        return Err(Error::OtherKey { player: dealer, kind: super::KeyKind::Signing });
    }
    if bool::from(secret.is_zero()) {
        return Err(Error::BadSecret);
    }
    let witness = Witness::draw(session, secret, rng);
    let statement = Statement::new(session, &witness);
    prove::prove(session, dealer, keys, &statement, &witness, rng)
}

/// Deals a random secret, which nobody learns, and forgets it.
///
/// # Errors
///
/// As [`deal`].
pub fn deal_random(
    session: &Session,
    dealer: usize,
    keys: &SecretKeys,
    rng: &mut impl CryptoRngCore,
) -> Result<Dealt, Error> {
    let secret = loop {
        let secret = Secret::new(Fr::random(&mut *rng));
        if !bool::from(secret.is_zero()) {
            break secret;
        }
    };
    deal(session, dealer, keys, &secret, rng)
}

/// A dealing by a random polynomial, one of whose shares (from 1) has a value that the dealer wants.
#[cfg(test)]
pub(crate) fn deal_with_share(
    session: &Session,
    dealer: usize,
    keys: &SecretKeys,
    (share, value): (usize, &Fr),
    rng: &mut impl CryptoRngCore,
) -> Result<Dealt, Error> {
    let mut coefficients = vec![Fr::ZERO; session.shape().threshold()];
    coefficients.fill_with(|| Fr::random(&mut *rng));
    let off = *value - evaluate(session, &coefficients)[share - 1];
    coefficients[0] += off;
    let shares = evaluate(session, &coefficients);
    let witness = Witness::new(session, &coefficients[0], shares, rng);
    let statement = Statement::new(session, &witness);
    prove::prove(session, dealer, keys, &statement, &witness, rng)
}
