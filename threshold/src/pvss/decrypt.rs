//! A player's shares from a sum of dealings, and the secret from enough shares.

use ff::{Field as _, PrimeField};
use group::{Curve, Group};
use rayon::prelude::*;
use zeroize::Zeroizing;

use super::{
    dlog::{Range, Search},
    session::Session,
    shape::Shape,
    Error, KeyKind, SecretKeys, Subtranscript,
};
use crate::{
    bls::{lagrange::Domain, Identities, MinSigBasicBls12381, SecretShare, Signers},
    pairing_curve::{multiply_g1, multiply_g2, scalar_bytes, Fr, G1Affine, G2Projective, Secret},
};

/// A share of the dealt secret. It was checked against its commitment, and is wiped when dropped.
#[derive(Clone)]
pub struct Share {
    number: usize,
    value: Secret<Fr>,
}

impl Share {
    /// A share from elsewhere: `number` from 1, `value` as 32 little-endian bytes.
    ///
    /// # Errors
    ///
    /// [`Error::BadSecret`] for zero, and for integers that are not below the order.
    pub fn from_bytes(number: usize, value: [u8; 32]) -> Result<Self, Error> {
        let value = crate::pairing_curve::scalar(&Zeroizing::new(value)).ok_or(Error::BadSecret)?;
        if number == 0 || bool::from(value.is_zero()) {
            Err(Error::BadSecret)
        } else {
            Ok(Self { number, value: Secret::new(value) })
        }
    }

    /// Which of all shares it is, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// 32 bytes, little-endian.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(scalar_bytes(&self.value))
    }

    /// The share as one of threshold BLS.
    ///
    /// # Errors
    ///
    /// [`Error::BadSecret`] for zero, which no share is.
    pub fn to_signing_share(&self) -> Result<SecretShare<MinSigBasicBls12381>, Error> {
        let mut bytes = self.to_bytes();
        bytes.reverse();
        let share = SecretShare::from_bytes(self.number as u32, *bytes);
        share.map_err(|_| Error::BadSecret)
    }
}

impl std::fmt::Debug for Share {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Share").field("number", &self.number).finish_non_exhaustive()
    }
}

/// The ranges of the chunks of a share of the sum of `dealings` dealings. The highest chunk of a
/// canonical scalar is smaller than the others, but nothing forces a dealer's scalar to be
/// canonical.
fn ranges(shape: &Shape, dealings: u64) -> Vec<Range> {
    let radix = 1u64 << shape.chunk_bits();
    let top = (-Fr::ONE).to_repr();
    let bytes = shape.chunk_bits() as usize / 8;
    let highest = top[32 - bytes..].iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
    let mut all = vec![Range::new(radix, radix, dealings); shape.chunks() - 1];
    all.push(Range::new(radix, highest + 1, dealings));
    all
}

/// Decrypts the shares of player `player`, and checks each against its commitment.
///
/// # Errors
///
/// [`Error::OtherSession`], [`Error::UnknownPlayer`], [`Error::OtherKey`] if the keys are not that
/// player's, or [`Error::Decryption`], which says nothing more.
pub fn decrypt(
    session: &Session,
    sum: &Subtranscript,
    player: usize,
    keys: &SecretKeys,
    search: &Search,
) -> Result<Vec<Share>, Error> {
    if !sum.is_of(session) {
        return Err(Error::OtherSession);
    }
    if session.player(player)?.encryption != keys.encryption_key() {
        return Err(Error::OtherKey { player, kind: KeyKind::Encryption });
    }
    let shape = session.shape();
    let shares = shape.shares_of(player - 1);
    let chunks = shape.chunks();
    // P = C − dk·R, for all chunks of all shares.
    let first = shares.start * chunks;
    let ciphertexts = &sum.ciphertexts[first..shares.end * chunks];
    // One inversion each: a shared one would leave behind copies of points that reveal the chunks.
    let open = |(place, ciphertext): (usize, &G1Affine)| -> G1Affine {
        (-multiply_g1(&sum.randomness[place].into(), &keys.decryption) + ciphertext).to_affine()
    };
    let points: Vec<G1Affine> = ciphertexts.par_iter().enumerate().map(open).collect();
    let points = Secret::new(points);
    let ranges = ranges(shape, sum.dealings()).into_iter().cycle().take(points.len());
    let logarithms = search.logarithms(&points, &ranges.collect::<Vec<_>>());
    let powers = shape.radix_powers();
    let found = logarithms.chunks_exact(chunks).zip(shares);
    found
        .map(|(digits, share)| {
            let mut value = Secret::new(Fr::ZERO);
            for (digit, power) in digits.iter().zip(&powers) {
                *value += Fr::from(digit.ok_or(Error::Decryption { player })?) * power;
            }
            let key = multiply_g2(&G2Projective::generator(), &value).to_affine();
            let found = Share { number: share + 1, value };
            (key == sum.shares[share]).then_some(found).ok_or(Error::Decryption { player })
        })
        .collect()
}

/// The secret from at least a threshold of shares; all are checked, and so is the result.
///
/// # Errors
///
/// [`Error::OtherSession`], [`Error::WrongShare`] for one that is not the one committed to,
/// [`Error::TooFewShares`] if not enough are different, or [`Error::WrongSecret`] for commitments
/// that do not lie on a polynomial: nobody has verified the dealings of such a sum.
pub fn reconstruct(
    session: &Session,
    sum: &Subtranscript,
    shares: &[Share],
) -> Result<Secret<Fr>, Error> {
    if !sum.is_of(session) {
        return Err(Error::OtherSession);
    }
    let shape = session.shape();
    for share in shares {
        let commitment = share.number.checked_sub(1).and_then(|place| sum.shares.get(place));
        let key = multiply_g2(&G2Projective::generator(), &share.value).to_affine();
        if commitment != Some(&key) {
            return Err(Error::WrongShare { share: share.number });
        }
    }
    let mut chosen: Vec<&Share> = shares.iter().collect();
    chosen.sort_unstable_by_key(|share| share.number);
    chosen.dedup_by_key(|share| share.number);
    let few = Error::TooFewShares { found: chosen.len(), needed: shape.threshold() };
    if chosen.len() < shape.threshold() {
        return Err(few);
    }
    chosen.truncate(shape.threshold());
    let numbers = chosen.iter().map(|share| share.number as u32).collect();
    let domain = Domain::<Fr>::new(Identities::RootsOfUnity, shape.shares());
    let signers = Signers::new(numbers, shape.shares());
    let (Ok(domain), Ok(signers)) = (domain, signers) else { return Err(few) };
    let Ok(coefficients) = domain.coefficients(&signers) else { return Err(few) };
    let terms = chosen.iter().zip(&coefficients).map(|(share, factor)| *share.value * factor);
    let secret = Secret::new(terms.sum());
    let is_committed = multiply_g2(&G2Projective::generator(), &secret).to_affine() == sum.secret;
    is_committed.then_some(secret).ok_or(Error::WrongSecret)
}
