//! Secret polynomials. frost-core makes the same ones, but leaves copies of them in freed memory.

use std::hint::black_box;

use frost_core::{
    keys::{CoefficientCommitment, SigningShare, VerifiableSecretSharingCommitment},
    Field, Group as _, Scalar,
};
use rand_core::{CryptoRng, RngCore};

use crate::frost::{Identifier, Suite};

/// The coefficients of a polynomial, the constant one first. They are overwritten when dropped.
pub(super) struct Polynomial<C: Suite>(Vec<Scalar<C>>);

impl<C: Suite> Polynomial<C> {
    /// A random one with this value at zero.
    pub(super) fn random(
        constant: Scalar<C>,
        coefficients: u16,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Self {
        // A growing vector would leave copies behind.
        let mut polynomial = Self(Vec::with_capacity(coefficients.into()));
        polynomial.0.push(constant);
        let random = |_| <<C::Group as frost_core::Group>::Field>::random(rng);
        polynomial.0.extend((1..coefficients).map(random));
        polynomial
    }

    pub(super) fn new(coefficients: Vec<Scalar<C>>) -> Self {
        Self(coefficients)
    }

    pub(super) fn coefficients(&self) -> &[Scalar<C>] {
        &self.0
    }

    /// The public commitment to it.
    pub(super) fn commitment(&self) -> VerifiableSecretSharingCommitment<C> {
        let commit = |coefficient| CoefficientCommitment::new(C::Group::generator() * coefficient);
        VerifiableSecretSharingCommitment::new(self.0.iter().copied().map(commit).collect())
    }

    /// Its value at a member's point.
    pub(super) fn at(&self, member: Identifier<C>) -> SigningShare<C> {
        SigningShare::from_coefficients(&self.0, member)
    }
}

impl<C: Suite> Drop for Polynomial<C> {
    fn drop(&mut self) {
        self.0.fill(<<C::Group as frost_core::Group>::Field>::zero());
        // The optimizer could otherwise drop writes that nobody reads.
        black_box(&mut self.0);
    }
}
