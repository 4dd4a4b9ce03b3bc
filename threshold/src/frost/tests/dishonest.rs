//! Dealers that would destroy a key, and coordinators that would blame the wrong ones.

use frost_core::{
    keys::{
        CoefficientCommitment, SigningShare, VerifiableSecretSharingCommitment, VerifyingShare,
    },
    Field, Group as _,
};

use super::*;
use crate::frost::keys::{dkg, refresh, repair};

fn id<C: Suite>(number: u16) -> Identifier<C> {
    identifier(number).unwrap()
}

#[derive(Clone, Copy)]
struct Glued;

impl SuiteVisitor for Glued {
    type Output = ();

    /// A group put together of three refreshes, in which every member finds its own share.
    fn visit<C: Suite>(self) {
        let mut rng = rng(1);
        let old = Committee::<C>::new(3, 5, &mut rng);
        let members: Vec<_> = (1..=5).map(id::<C>).collect();
        let refreshes = [(); 3].map(|()| refresh::deal(&old.group, &members, &mut rng).unwrap());
        let which = [0, 0, 1, 1, 2];
        let public = members
            .iter()
            .zip(which)
            .map(|(member, which)| (*member, refreshes[which].1.verifying_shares()[member]));
        let key = *old.group.verifying_key();
        let glued = Group::new(public.collect(), key, Some(3));
        assert_eq!(keys::check(&glued), Err(FrostError::NoPolynomial), "{}", C::NAME);
        for (member, which) in members.iter().zip(which) {
            let dealt = refreshes[which].0[member].clone();
            let taken = refresh::accept(dealt.clone(), &old.shares[member], &glued);
            assert_eq!(taken.unwrap_err(), FrostError::NoPolynomial);
            refresh::accept(dealt, &old.shares[member], &refreshes[which].1).unwrap();
        }
        // The same in a dealt key and in a repair.
        let share = keys::deal_key(&known_key::<C>(&old), 3, 5, &mut rng).unwrap().0;
        let error = keys::accept(share[&members[0]].clone(), &glued).unwrap_err();
        assert_eq!(error, FrostError::NoPolynomial);
        let error = repair::finish(&[repair::Sigma::new(C::scalar(1))], members[1], &glued);
        assert_eq!(error.unwrap_err(), FrostError::NoPolynomial);
    }
}

fn known_key<C: Suite>(committee: &Committee<C>) -> frost_core::SigningKey<C> {
    let shares: Vec<_> = committee.shares.values().cloned().collect();
    frost_core::keys::reconstruct(&shares).unwrap()
}

#[test]
fn a_group_glued_from_several_refreshes_is_refused() {
    in_two_suites(Glued);
}

/// A dealer's sharing with a polynomial that the caller chooses, its constant commitment cut off where
/// it is a refresh.
fn sharing<C: Suite>(
    coefficients: &[frost_core::Scalar<C>],
    member: Identifier<C>,
    skip: usize,
) -> keys::DealtShare<C> {
    let commitments = coefficients[skip..].iter().map(|c| {
        // Most are zero.
        let zero = *c == <<C::Group as frost_core::Group>::Field>::zero();
        let point = if zero { C::Group::identity() } else { C::Group::generator() * *c };
        CoefficientCommitment::new(point)
    });
    let commitment = VerifiableSecretSharingCommitment::new(commitments.collect());
    let share = SigningShare::from_coefficients(coefficients, member);
    keys::DealtShare::new(member, share, commitment)
}

#[derive(Clone, Copy)]
struct Degrees;

impl SuiteVisitor for Degrees {
    type Output = ();

    /// frost-core takes the length of a commitment modulo 2^16.
    fn visit<C: Suite>(self) {
        let zero = <<C::Group as frost_core::Group>::Field>::zero();
        let mut rng = rng(2);
        let old = Committee::<C>::new(3, 4, &mut rng);
        for extra in [1, 1 << 16] {
            let mut coefficients = vec![zero; 3 + extra];
            *coefficients.last_mut().unwrap() = C::scalar(5);
            let found = 2 + extra;
            let member = id::<C>(1);
            let dealt = sharing::<C>(&coefficients, member, 1);
            let error = refresh::accept(dealt, &old.shares[&member], &old.group).unwrap_err();
            assert_eq!(error, FrostError::Degree { whose: None, found, expected: 2 });
            coefficients[0] = C::scalar(7);
            let dealt = sharing::<C>(&coefficients, member, 0);
            let error = keys::accept(dealt, &old.group).unwrap_err();
            assert_eq!(error, FrostError::Degree { whose: None, found: found + 1, expected: 3 });
            // Of another member in a key generation.
            let (secret, _) = dkg::commit(member, 3, 3, &mut rng).unwrap();
            let others = [2, 3].map(|number| {
                let commitment = dkg::commit(id::<C>(number), 3, 3, &mut rng).unwrap().1;
                (id::<C>(number), commitment)
            });
            let mut others = BTreeMap::from(others);
            let proof = *others[&id(3)].proof_of_knowledge();
            let long = sharing::<C>(&coefficients, member, 0).commitment().clone();
            others.insert(id(3), dkg::Commitment::new(long, proof));
            let error = dkg::share(secret, &others).unwrap_err();
            let whose = Some(Signer::Number(3));
            assert_eq!(error, FrostError::Degree { whose, found: found + 1, expected: 3 });
        }
    }
}

#[test]
fn polynomials_of_another_degree_are_refused() {
    in_two_suites(Degrees);
}

#[derive(Clone, Copy)]
struct Thresholds;

impl SuiteVisitor for Thresholds {
    type Output = ();

    /// With a lower one honest signers would be called cheaters, with a higher one nobody would sign.
    fn visit<C: Suite>(self) {
        let mut rng = rng(3);
        let old = Committee::<C>::new(3, 5, &mut rng);
        let members: Vec<_> = (1..=5).map(id::<C>).collect();
        let (dealt, new) = refresh::deal(&old.group, &members, &mut rng).unwrap();
        let told = |threshold| {
            let key = *new.verifying_key();
            Group::<C>::new(new.verifying_shares().clone(), key, threshold)
        };
        let accept = |group: &Group<C>| {
            let member = id::<C>(1);
            refresh::accept(dealt[&member].clone(), &old.shares[&member], group).unwrap_err()
        };
        assert_eq!(keys::check(&new), Ok(()));
        assert_eq!(keys::check(&told(Some(2))), Err(FrostError::NoPolynomial));
        assert_eq!(accept(&told(Some(2))), FrostError::NoPolynomial);
        // All lie on a polynomial of a higher degree too.
        assert_eq!(keys::check(&told(Some(4))), Ok(()));
        assert_eq!(accept(&told(Some(4))), FrostError::OtherGroup);
        for (threshold, told) in [(6, told(Some(6))), (1, told(Some(1))), (0, told(None))] {
            let error = FrostError::Threshold { threshold, signers: 5 };
            assert_eq!(keys::check(&told), Err(error.clone()));
            assert_eq!(accept(&told), error);
        }
        // Another key, one that has been multiplied, and one public share that is another's.
        let shares = new.verifying_shares();
        let other = *Committee::<C>::new(3, 5, &mut rng).group.verifying_key();
        let with_key = Group::<C>::new(shares.clone(), other, Some(3));
        assert_eq!(keys::check(&with_key), Err(FrostError::NoPolynomial));
        let mut swapped = shares.clone();
        swapped.insert(id(4), shares[&id(5)]);
        let swapped = Group::<C>::new(swapped, *new.verifying_key(), Some(3));
        assert_eq!(keys::check(&swapped), Err(FrostError::NoPolynomial));
        // As many members as sign: no member is spare, and the key alone decides.
        let all = Committee::<C>::new(3, 3, &mut rng).group;
        assert_eq!(keys::check(&all), Ok(()));
        let wrong = Group::<C>::new(all.verifying_shares().clone(), other, Some(3));
        assert_eq!(keys::check(&wrong), Err(FrostError::NoPolynomial));
    }
}

#[test]
fn thresholds_and_keys_must_be_those_of_the_shares() {
    in_two_suites(Thresholds);
}

#[derive(Clone, Copy)]
struct Blamed;

impl SuiteVisitor for Blamed {
    type Output = ();

    /// One public share in the coordinator's file is wrong: what fails may be the coordinator's fault.
    fn visit<C: Suite>(self) {
        let mut rng = rng(4);
        for (threshold, signers) in [(3, 5), (70, 80)] {
            let committee = Committee::<C>::new(threshold, signers, &mut rng);
            let members: Vec<_> = (1..=threshold).collect();
            let mut session = committee.session(&members, b"message", &mut rng);
            let mut public = committee.group.verifying_shares().clone();
            public.insert(id(1), VerifyingShare::new(C::Group::generator() * C::scalar(9)));
            let key = *committee.group.verifying_key();
            let wrong = Group::<C>::new(public, key, Some(threshold));
            // The signature is good all the same.
            session.aggregate(&wrong).unwrap();
            session.spoil(2);
            assert_eq!(session.aggregate(&wrong), Err(FrostError::GroupKey), "{}", C::NAME);
            let culprit = FrostError::BadShares(numbers(&[2]));
            assert_eq!(session.aggregate(&committee.group), Err(culprit));
        }
    }
}

#[test]
fn nobody_is_judged_by_public_shares_that_do_not_make_the_key() {
    in_two_suites(Blamed);
}

#[derive(Clone, Copy)]
struct TwoLists;

impl SuiteVisitor for TwoLists {
    type Output = ();

    /// A member that shows two commitments: one to the coordinator, one to the second signer.
    fn visit<C: Suite>(self) {
        let mut rng = rng(5);
        let committee = Committee::<C>::new(2, 3, &mut rng);
        let share = |number| &committee.shares[&id::<C>(number)];
        let (cheat, shown) = sign::commit(share(1), &mut rng).unwrap();
        let (_, other) = sign::commit(share(1), &mut rng).unwrap();
        let (honest, commitment) = sign::commit(share(2), &mut rng).unwrap();
        let list = |first: &Commitment<C>| {
            let entries = [(id(1), first.clone()), (id(2), commitment.clone())];
            Package::new(unique(entries).unwrap(), b"message")
        };
        let package = list(&shown);
        let shares = [
            (id(1), sign::sign(&package, cheat, share(1)).unwrap()),
            (id(2), sign::sign(&list(&other), honest, share(2)).unwrap()),
        ];
        let error = aggregate(&package, &shares.into(), &committee.group);
        assert_eq!(error, Err(FrostError::OtherPackage(numbers(&[2]))), "{}", C::NAME);
    }
}

#[test]
fn who_was_shown_another_list_has_signed_another_package() {
    in_two_suites(TwoLists);
}

#[derive(Clone, Copy)]
struct Cancelling;

impl SuiteVisitor for Cancelling {
    type Output = ();

    /// Errors that add up to zero leave a signature that is good, and it is taken. Beside another error
    /// all their makers are named: each share is judged by itself.
    fn visit<C: Suite>(self) {
        let zero = <<C::Group as frost_core::Group>::Field>::zero();
        let (one, two) = (C::scalar(1), C::scalar(2));
        let mut rng = rng(6);
        let committee = Committee::<C>::new(64, 70, &mut rng);
        for signing in [64, 65, 70] {
            let members: Vec<_> = (1..=signing).collect();
            let good = committee.session(&members, b"message", &mut rng);
            let signature = good.aggregate(&committee.group).unwrap();
            // In one half, in both, and three of them.
            for errors in [
                &[(1, one), (2, zero - one)][..],
                &[(1, one), (64, zero - one)],
                &[(1, one), (40, one), (64, zero - two)],
            ] {
                let mut session =
                    Session { package: good.package.clone(), shares: good.shares.clone() };
                errors.iter().for_each(|(member, error)| session.add(*member, *error));
                assert_eq!(session.aggregate(&committee.group), Ok(signature), "{}", C::NAME);
                for third in [3, 50] {
                    session.add(third, one);
                    let mut culprits: Vec<_> = errors.iter().map(|(member, _)| *member).collect();
                    culprits.push(third);
                    culprits.sort_unstable();
                    let error = session.aggregate(&committee.group).unwrap_err();
                    assert_eq!(error, FrostError::BadShares(numbers(&culprits)), "{}", C::NAME);
                    session.add(third, zero - one);
                }
            }
        }
    }
}

#[test]
fn errors_that_cancel_are_no_error_of_the_signature() {
    in_two_suites(Cancelling);
}
