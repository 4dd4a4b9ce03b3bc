//! Tests of what all suites share. Each is a visitor: where suites differ it runs in all of them, and
//! elsewhere in two, since each costs the compiler a copy of everything. What members do from a key to
//! a signature runs in all suites in [`ceremonies`], over documents.

mod aggregation;
mod arithmetic;
mod ceremonies;
mod dishonest;
mod lives;
mod together;
mod vectors;

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;

/// A group with everybody's secret shares.
pub(super) struct Committee<C: Suite> {
    pub(super) shares: BTreeMap<Identifier<C>, KeyShare<C>>,
    pub(super) group: Group<C>,
}

/// One signature in the making.
pub(super) struct Session<C: Suite> {
    pub(super) package: Package<C>,
    pub(super) shares: BTreeMap<Identifier<C>, SignatureShare<C>>,
}

pub(super) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

impl<C: Suite> Committee<C> {
    pub(super) fn new(threshold: u16, signers: u16, rng: &mut ChaCha20Rng) -> Self {
        let (dealt, group) = keys::deal::<C>(threshold, signers, rng).unwrap();
        let accept = |(id, share)| (id, keys::accept(share, &group).unwrap());
        let shares = dealt.into_iter().map(accept).collect();
        Self { shares, group }
    }

    /// Both rounds of these members.
    pub(super) fn session(
        &self,
        members: &[u16],
        message: &[u8],
        rng: &mut ChaCha20Rng,
    ) -> Session<C> {
        let members: Vec<_> = members.iter().map(|m| identifier::<C>(*m).unwrap()).collect();
        let mut nonces = BTreeMap::new();
        let mut commitments = vec![];
        for member in members {
            let (nonce, commitment) = sign::commit(&self.shares[&member], rng).unwrap();
            nonces.insert(member, nonce);
            commitments.push((member, commitment));
        }
        let package = Package::new(unique(commitments).unwrap(), message);
        let sign = |(id, nonce)| (id, sign::sign(&package, nonce, &self.shares[&id]).unwrap());
        let shares = nonces.into_iter().map(sign).collect();
        Session { package, shares }
    }
}

impl<C: Suite> Session<C> {
    pub(super) fn aggregate(&self, group: &Group<C>) -> Result<Signature<C>, FrostError> {
        aggregate(&self.package, &self.shares, group)
    }

    /// Adds one to a member's share.
    pub(super) fn spoil(&mut self, member: u16) {
        self.add(member, C::scalar(1));
    }

    /// Adds something to a member's share.
    pub(super) fn add(&mut self, member: u16, error: frost_core::Scalar<C>) {
        let member = identifier::<C>(member).unwrap();
        let bad = self.shares[&member].inner().share().0 + error;
        self.replace(member, bad);
    }

    /// Puts a scalar in a member's place.
    pub(super) fn replace(&mut self, member: Identifier<C>, scalar: frost_core::Scalar<C>) {
        let package = self.package_digest();
        self.shares.insert(member, SignatureShare::new(share_of::<C>(scalar), package));
    }

    fn package_digest(&self) -> PackageDigest {
        *self.shares.values().next().unwrap().package()
    }
}

/// The signature share of this scalar.
fn share_of<C: Suite>(scalar: frost_core::Scalar<C>) -> frost_core::round2::SignatureShare<C> {
    use frost_core::{round2::SignatureShare, Field, Group};
    let bytes = <<C::Group as Group>::Field>::serialize(&scalar);
    SignatureShare::deserialize(bytes.as_ref()).unwrap()
}

pub(super) fn numbers(members: &[u16]) -> Vec<Signer> {
    members.iter().map(|member| Signer::Number(*member)).collect()
}

/// Runs the same test in two suites: ours, and the one with hooks of its own.
pub(super) fn in_two_suites<V: SuiteVisitor<Output = ()> + Copy>(test: V) {
    test.visit::<BabyJubjubPoseidon>();
    test.visit::<Secp256K1Sha256TR>();
}

/// Runs the same test in every suite.
pub(super) fn in_every_suite<V: SuiteVisitor<Output = ()> + Copy>(test: V) {
    SuiteName::ALL.into_iter().for_each(|suite| suite.visit(test));
}
