//! Secret keys.

use k256::elliptic_curve::{self, FieldBytes};
use rand_core::{CryptoRng, RngCore};

use super::suite::{point_of, Ecdsa, Suite};
use crate::curve::weierstrass::Point;
use crate::signature::secret::{self, Secret};

/// A secret scalar between 1 and n - 1, with its public key. It is wiped when dropped.
pub type SecretKey<C> = secret::SecretKey<Ecdsa<C>>;

impl<C: Suite> Secret for Ecdsa<C> {
    type Inner = elliptic_curve::SecretKey<C>;
    type PublicKey = Point;
    const LABELS: &'static [&'static str] = &["muster.ecdsa.key.v1", C::NAME];

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self::Inner {
        elliptic_curve::SecretKey::random(rng)
    }

    fn read(bytes: &[u8; 32]) -> Option<Self::Inner> {
        elliptic_curve::SecretKey::from_bytes(FieldBytes::<C>::from_slice(bytes)).ok()
    }

    fn bytes(inner: &Self::Inner) -> [u8; 32] {
        inner.to_bytes().into()
    }

    fn public_key(inner: &Self::Inner) -> Point {
        let point = point_of::<C>(inner.public_key().as_affine());
        point.expect("a secret key is not zero")
    }
}
