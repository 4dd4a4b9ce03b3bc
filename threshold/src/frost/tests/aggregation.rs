//! The aggregation against frost-core's, and everything that can be wrong with its input.

use frost_core::{CheaterDetection, Field, Group as _};
use proptest::prelude::*;
use rand::seq::SliceRandom;

use super::*;

/// What frost-core makes of the same session.
fn theirs<C: Suite>(
    session: &Session<C>,
    group: &Group<C>,
) -> Result<Signature<C>, frost_core::Error<C>> {
    let (package, all) = (session.package.inner(), CheaterDetection::AllCheaters);
    let shares = session.shares.iter().map(|(id, share)| (*id, *share.inner())).collect();
    frost_core::aggregate_custom(package, &shares, group, all)
}

#[derive(Clone, Copy)]
struct SameBytes;

impl SuiteVisitor for SameBytes {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(1);
        for (threshold, signers) in [(2, 3), (3, 7)] {
            let committee = Committee::<C>::new(threshold, signers, &mut rng);
            // With BIP-340 half of the keys and half of the nonces are negated.
            for i in 0..4 {
                let members: Vec<_> = (1..=threshold + i % 2).collect();
                let session = committee.session(&members, &[i as u8; 40], &mut rng);
                let ours = session.aggregate(&committee.group).unwrap();
                let expected = theirs(&session, &committee.group).unwrap();
                assert_eq!(ours.serialize(), expected.serialize(), "{}", C::NAME);
                committee.group.verifying_key().verify(&[i as u8; 40], &ours).unwrap();
            }
        }
    }
}

#[test]
fn signatures_have_the_bytes_of_frost_core() {
    in_every_suite(SameBytes);
}

#[derive(Clone, Copy)]
struct SameShares;

impl SuiteVisitor for SameShares {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(8);
        let committee = Committee::<C>::new(3, 5, &mut rng);
        let members = [1, 2, 5].map(|i| identifier::<C>(i).unwrap());
        for _ in 0..4 {
            let rounds =
                members.map(|id| (id, sign::commit(&committee.shares[&id], &mut rng).unwrap()));
            let commitments = rounds.iter().map(|(id, (_, commitment))| (*id, commitment.clone()));
            let package = Package::new(unique(commitments).unwrap(), b"message");
            let together = sign::Round2::new(&package, &committee.group).unwrap();
            for (id, (nonces, _)) in &rounds {
                let share = &committee.shares[id];
                let alone = sign::sign(&package, nonces.clone(), share).unwrap();
                assert_eq!(together.sign(nonces.clone(), share), Ok(alone), "{}", C::NAME);
            }
            let (nonces, share) = (&rounds[0].1 .0, &committee.shares[&members[1]]);
            assert!(together.sign(nonces.clone(), share).is_err());
            let absent = &committee.shares[&identifier(3).unwrap()];
            let error = together.sign(nonces.clone(), absent).unwrap_err();
            assert_eq!(error, FrostError::Uncommitted(numbers(&[3])));
        }
    }
}

#[test]
fn members_that_sign_together_sign_as_alone() {
    in_two_suites(SameShares);
}

#[derive(Clone, Copy)]
struct Cheaters;

impl SuiteVisitor for Cheaters {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(2);
        let committee = Committee::<C>::new(5, 9, &mut rng);
        let members = [1, 2, 4, 5, 6, 8, 9];
        for culprits in [&[1][..], &[9], &[5, 6], &[1, 2, 9], &members] {
            let mut session = committee.session(&members, b"message", &mut rng);
            culprits.iter().for_each(|culprit| session.spoil(*culprit));
            let error = session.aggregate(&committee.group).unwrap_err();
            assert_eq!(error, FrostError::BadShares(numbers(culprits)), "{}", C::NAME);
            let theirs = theirs(&session, &committee.group).unwrap_err();
            assert_eq!(FrostError::from(theirs), error, "{}", C::NAME);
        }
    }
}

#[test]
fn every_cheater_is_named_and_nobody_else() {
    in_every_suite(Cheaters);
}

#[derive(Clone, Copy)]
struct Many;

impl SuiteVisitor for Many {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(3);
        let committee = Committee::<C>::new(40, 90, &mut rng);
        let mut members: Vec<u16> = (1..=90).collect();
        members.shuffle(&mut rng);
        let mut session = committee.session(&members[..70], b"message", &mut rng);
        session.aggregate(&committee.group).unwrap();
        // One first, then among others: parts of innocent signers have a sum of zero.
        let mut culprits = vec![];
        for count in [1, 4] {
            members[culprits.len()..count].iter().for_each(|culprit| session.spoil(*culprit));
            culprits = members[..count].to_vec();
            culprits.sort_unstable();
            let error = session.aggregate(&committee.group).unwrap_err();
            assert_eq!(error, FrostError::BadShares(numbers(&culprits)), "{}", C::NAME);
        }
    }
}

#[test]
fn cheaters_among_many() {
    in_two_suites(Many);
}

#[derive(Clone, Copy)]
struct WrongParticipants;

impl SuiteVisitor for WrongParticipants {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(4);
        let committee = Committee::<C>::new(3, 5, &mut rng);
        let mut session = || committee.session(&[1, 3, 4], b"message", &mut rng);
        let id = |number| identifier::<C>(number).unwrap();

        let mut missing = session();
        missing.shares.remove(&id(3));
        let error = missing.aggregate(&committee.group).unwrap_err();
        assert_eq!(error, FrostError::Missing(numbers(&[3])));

        let mut uncommitted = session();
        uncommitted.shares.insert(id(5), uncommitted.shares[&id(1)]);
        let error = uncommitted.aggregate(&committee.group).unwrap_err();
        assert_eq!(error, FrostError::Uncommitted(numbers(&[5])));

        let mut unknown = session();
        unknown.shares.insert(id(70), unknown.shares[&id(1)]);
        let error = unknown.aggregate(&committee.group).unwrap_err();
        assert_eq!(error, FrostError::Unknown(numbers(&[70])));

        // Two sign together although it takes three: each takes the threshold for two.
        let mut few = Committee::<C>::new(3, 5, &mut rng);
        let weaken = |share: &mut KeyShare<C>| {
            let public = (*share.verifying_share(), *share.verifying_key());
            *share =
                KeyShare::new(*share.identifier(), *share.signing_share(), public.0, public.1, 2);
        };
        few.shares.values_mut().for_each(weaken);
        let session = few.session(&[1, 3], b"message", &mut rng);
        let error = session.aggregate(&few.group).unwrap_err();
        assert_eq!(error, FrostError::TooFew { found: 2, threshold: 3 });
        let lowered = few.group.verifying_shares().clone();
        let lowered = Group::<C>::new(lowered, *few.group.verifying_key(), None);
        // Each share is what it should be, but they are too few for the key.
        assert_eq!(session.aggregate(&lowered).unwrap_err(), FrostError::GroupKey);
    }
}

#[test]
fn participants_that_do_not_fit_are_named() {
    in_two_suites(WrongParticipants);
}

#[derive(Clone, Copy)]
struct WrongKeys;

impl SuiteVisitor for WrongKeys {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(5);
        let committee = Committee::<C>::new(2, 3, &mut rng);
        let other = Committee::<C>::new(2, 3, &mut rng);
        let session = committee.session(&[1, 2], b"message", &mut rng);
        // The coordinator has another group's file, other commitments or another message: the signers
        // have not cheated, and are not called cheaters.
        let both = FrostError::OtherPackage(numbers(&[1, 2]));
        assert_eq!(session.aggregate(&other.group), Err(both.clone()), "{}", C::NAME);
        let mut crossed = committee.session(&[1, 2], b"message", &mut rng);
        crossed.package = session.package.clone();
        assert_eq!(crossed.aggregate(&committee.group), Err(both.clone()));
        let mut moved = committee.session(&[1, 2], b"message", &mut rng);
        let inner = moved.package.inner().signing_commitments().clone();
        let inner = frost_core::SigningPackage::new(inner, b"massage");
        moved.package = Package::from_frost(inner).unwrap();
        assert_eq!(moved.aggregate(&committee.group), Err(both));

        // A signature of one group under the key of another.
        let signature = session.aggregate(&committee.group).unwrap();
        let key = other.group.verifying_key();
        assert_eq!(verify(b"message", &signature, key), Err(FrostError::Signature));
        assert_eq!(verify(b"message", &signature, committee.group.verifying_key()), Ok(()));
    }
}

#[test]
fn wrong_groups_commitments_and_messages() {
    in_two_suites(WrongKeys);
}

#[derive(Clone, Copy)]
struct Commitments;

impl SuiteVisitor for Commitments {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(6);
        let committee = Committee::<C>::new(2, 3, &mut rng);
        let id = identifier::<C>(1).unwrap();
        let (nonces, commitment) = sign::commit(&committee.shares[&id], &mut rng).unwrap();
        let (hiding, binding) = commitment.to_bytes();
        assert_eq!(Commitment::<C>::from_bytes(hiding, binding).as_ref(), Ok(&commitment));
        for bad in [&[][..], &hiding[1..], &[hiding, &[0]].concat(), &vec![0xff; hiding.len()]] {
            assert!(Commitment::<C>::from_bytes(bad, binding).is_err(), "{}", C::NAME);
            assert!(Commitment::<C>::from_bytes(hiding, bad).is_err(), "{}", C::NAME);
        }
        // A signer refuses a package with somebody else's commitment under its name.
        let (_, other) = sign::commit(&committee.shares[&id], &mut rng).unwrap();
        let second = identifier::<C>(2).unwrap();
        let package = Package::new(unique([(id, other.clone()), (second, other)]).unwrap(), b"m");
        let error = sign::sign(&package, nonces.clone(), &committee.shares[&id]);
        assert_eq!(error, Err(FrostError::OtherNonces(Signer::Number(1))));
        let package = Package::new(unique([(id, commitment.clone())]).unwrap(), b"m");
        let error = sign::sign(&package, nonces.clone(), &committee.shares[&id]);
        assert_eq!(error, Err(FrostError::TooFew { found: 1, threshold: 2 }));
        let third = identifier::<C>(3).unwrap();
        let others = unique([(second, commitment.clone()), (third, commitment)]).unwrap();
        let error = sign::sign(&Package::new(others, b"m"), nonces, &committee.shares[&id]);
        assert_eq!(error, Err(FrostError::Uncommitted(numbers(&[1]))));
    }
}

#[test]
fn commitments_are_read_strictly() {
    in_two_suites(Commitments);
}

#[test]
fn identifiers_are_distinct_and_not_zero() {
    type C = BabyJubjubPoseidon;
    assert_eq!(identifier::<C>(0), Err(FrostError::Identifier(0)));
    let id = identifier::<C>(7).unwrap();
    assert_eq!(unique([(id, ()), (id, ())]), Err(FrostError::Duplicate(Signer::Number(7))));
    let name = Identifier::<C>::derive(b"alice").unwrap();
    assert_eq!(Signer::of(&name).to_string(), format!("0x{}", hex::encode(name.serialize())));
    assert!(Identifier::<C>::deserialize(&[0; 32]).is_err());
}

#[derive(Clone, Copy)]
struct Randomized;

impl SuiteVisitor for Randomized {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(7);
        let committee = Committee::<C>::new(2, 3, &mut rng);
        let members = [1, 3].map(|i| identifier::<C>(i).unwrap());
        let rounds =
            members.map(|id| (id, sign::commit(&committee.shares[&id], &mut rng).unwrap()));
        let commitments = rounds.iter().map(|(id, (_, commitment))| (*id, commitment.clone()));
        let package = Package::new(unique(commitments).unwrap(), b"message");
        let (randomness, seed) = sign::randomize(&package, &committee.group, &mut rng).unwrap();
        let share = |(id, (nonces, _))| {
            (id, sign::sign_randomized(&package, nonces, &committee.shares[&id], &seed).unwrap())
        };
        let mut shares: BTreeMap<_, _> = rounds.into_iter().map(share).collect();
        let signature =
            aggregate_randomized(&package, &shares, &committee.group, &randomness).unwrap();
        let key = randomness.randomized_verifying_key();
        verify(b"message", &signature, key).unwrap();
        assert!(verify(b"message", &signature, committee.group.verifying_key()).is_err());
        // A coordinator with other parameters, or with none, calls nobody a cheater.
        let (other, _) = sign::randomize(&package, &committee.group, &mut rng).unwrap();
        let error = aggregate_randomized(&package, &shares, &committee.group, &other);
        assert_eq!(error, Err(FrostError::OtherPackage(numbers(&[1, 3]))), "{}", C::NAME);
        let error = aggregate(&package, &shares, &committee.group);
        assert_eq!(error, Err(FrostError::OtherPackage(numbers(&[1, 3]))));
        shares.insert(members[1], shares[&members[0]]);
        let error = aggregate_randomized(&package, &shares, &committee.group, &randomness);
        assert_eq!(error, Err(FrostError::BadShares(numbers(&[3]))), "{}", C::NAME);
    }
}

#[test]
fn randomized_keys_sign() {
    in_two_suites(Randomized);
}

/// A signature made by interpolation of the secret from these shares alone.
fn forged<C: Suite>(committee: &Committee<C>, members: &[u16], message: &[u8]) -> Signature<C> {
    let shares: Vec<_> =
        members.iter().map(|i| committee.shares[&identifier(*i).unwrap()].clone()).collect();
    let weaken = |share: &KeyShare<C>| {
        let (public, key) = (*share.verifying_share(), *share.verifying_key());
        KeyShare::new(*share.identifier(), *share.signing_share(), public, key, 1)
    };
    let shares: Vec<_> = shares.iter().map(weaken).collect();
    frost_core::keys::reconstruct(&shares).unwrap().sign(rng(0), message)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_t_sign_and_any_fewer_do_not(
        seed: u64,
        ours: bool,
        (signers, threshold) in (2u16..9).prop_flat_map(|n| (Just(n), 2..=n)),
        message: Vec<u8>,
    ) {
        #[derive(Clone)]
        struct Subsets(u64, u16, u16, Vec<u8>);
        impl SuiteVisitor for Subsets {
            type Output = ();

            fn visit<C: Suite>(self) {
                let Self(seed, threshold, signers, message) = self;
                let mut rng = rng(seed);
                let committee = Committee::<C>::new(threshold, signers, &mut rng);
                let mut members: Vec<u16> = (1..=signers).collect();
                members.shuffle(&mut rng);
                let chosen = &members[..threshold.into()];
                let session = committee.session(chosen, &message, &mut rng);
                let signature = session.aggregate(&committee.group).unwrap();
                let key = committee.group.verifying_key();
                key.verify(&message, &signature).unwrap();
                let read = Signature::<C>::deserialize(&signature.serialize().unwrap()).unwrap();
                verify(&message, &read, key).unwrap();
                // One fewer: neither their shares nor all their secrets together sign.
                let fewer = &members[..usize::from(threshold) - 1];
                let signature = forged(&committee, fewer, &message);
                assert_eq!(verify(&message, &signature, key), Err(FrostError::Signature));
                let mut session = session;
                let absent = identifier(chosen[0]).unwrap();
                session.replace(absent, <<C::Group as frost_core::Group>::Field>::zero());
                let error = session.aggregate(&committee.group).unwrap_err();
                assert_eq!(error, FrostError::BadShares(numbers(&chosen[..1])));
            }
        }
        let test = Subsets(seed, threshold, signers, message);
        if ours { test.visit::<BabyJubjubPoseidon>() } else { test.visit::<Secp256K1Sha256TR>() }
    }
}

#[test]
fn an_identity_is_no_commitment() {
    type C = BabyJubjubPoseidon;
    let identity = <C as frost_core::Ciphersuite>::Group::identity();
    let commitment = frost_core::round1::NonceCommitment::<C>::new(identity);
    let pair = frost_core::round1::SigningCommitments::new(commitment, commitment);
    assert!(Commitment::<C>::new(pair).is_err());
    let id = identifier::<C>(1).unwrap();
    let package = frost_core::SigningPackage::new([(id, pair)].into(), b"message");
    assert!(Package::from_frost(package).is_err());
}
