//! Key generation without a dealer, renewal and repair.

use frost_core::Group as _;

use super::*;
use crate::frost::keys::{dkg, refresh, repair};

pub(super) fn ids<C: Suite>(numbers: impl IntoIterator<Item = u16>) -> Vec<Identifier<C>> {
    numbers.into_iter().map(|i| identifier(i).unwrap()).collect()
}

/// Everything but what `id` itself sent.
pub(super) fn others<C: Suite, T: Clone>(
    all: &BTreeMap<Identifier<C>, T>,
    id: &Identifier<C>,
) -> BTreeMap<Identifier<C>, T> {
    all.iter().filter(|(other, _)| *other != id).map(|(id, item)| (*id, item.clone())).collect()
}

pub(super) struct Dkg<C: Suite> {
    pub(super) secrets: BTreeMap<Identifier<C>, dkg::Secret1<C>>,
    pub(super) commitments: BTreeMap<Identifier<C>, dkg::Commitment<C>>,
}

impl<C: Suite> Dkg<C> {
    fn new(threshold: u16, signers: u16, seed: u64) -> Self {
        let mut rng = rng(seed);
        let (mut secrets, mut commitments) = (BTreeMap::new(), BTreeMap::new());
        for id in ids::<C>(1..=signers) {
            let (secret, commitment) = dkg::commit(id, threshold, signers, &mut rng).unwrap();
            secrets.insert(id, secret);
            commitments.insert(id, commitment);
        }
        Self { secrets, commitments }
    }

    #[allow(clippy::type_complexity)]
    fn share(
        &self,
    ) -> (
        BTreeMap<Identifier<C>, dkg::Secret2<C>>,
        BTreeMap<Identifier<C>, BTreeMap<Identifier<C>, dkg::Share<C>>>,
    ) {
        let (mut secrets, mut sent) = (BTreeMap::new(), BTreeMap::<_, BTreeMap<_, _>>::new());
        for (id, secret) in &self.secrets {
            let theirs = others(&self.commitments, id);
            let (secret, shares) = dkg::share(secret.clone(), &theirs).unwrap();
            secrets.insert(*id, secret);
            for (to, share) in shares {
                sent.entry(to).or_default().insert(*id, share);
            }
        }
        (secrets, sent)
    }
}

#[derive(Clone, Copy)]
struct Generation;

impl SuiteVisitor for Generation {
    type Output = ();

    fn visit<C: Suite>(self) {
        let dkg = Dkg::<C>::new(2, 4, 1);
        let (secrets, mut sent) = dkg.share();
        let finish = |id: &Identifier<C>, shares: &BTreeMap<_, _>| {
            dkg::finish(&secrets[id], &others(&dkg.commitments, id), shares)
        };
        let results: Vec<_> =
            secrets.keys().map(|id| (*id, finish(id, &sent[id]).unwrap())).collect();
        let group = results[0].1 .1.clone();
        assert!(results.iter().all(|(_, (_, other))| *other == group));
        let shares = results.into_iter().map(|(id, (share, _))| (id, share)).collect();
        let committee = Committee { shares, group };
        let mut rng = rng(2);
        let session = committee.session(&[2, 4], b"message", &mut rng);
        let signature = session.aggregate(&committee.group).unwrap();
        committee.group.verifying_key().verify(b"message", &signature).unwrap();

        // Somebody sends a share that does not fit its commitment: swapped for another's.
        let [first, second, third, _] = ids::<C>(1..=4).try_into().unwrap();
        let wrong = sent[&second][&third].clone();
        sent.get_mut(&first).unwrap().insert(third, wrong);
        let error = finish(&first, &sent[&first]).unwrap_err();
        assert_eq!(error, FrostError::BadDealing(numbers(&[3])), "{}", C::NAME);
    }
}

#[test]
fn keys_without_a_dealer() {
    in_two_suites(Generation);
}

#[derive(Clone, Copy)]
struct Rogue;

impl SuiteVisitor for Rogue {
    type Output = ();

    fn visit<C: Suite>(self) {
        use frost_core::keys::{CoefficientCommitment, VerifiableSecretSharingCommitment};
        let dkg = Dkg::<C>::new(2, 3, 3);
        let [first, second, third] = ids::<C>(1..=3).try_into().unwrap();
        // The last to speak takes the others' commitments off a key of its own, so that the group's
        // key would be its own. It cannot prove that it knows the logarithm.
        let theirs = [first, second].map(|id| dkg.commitments[&id].commitment().coefficients()[0]);
        let mine = dkg.commitments[&third].commitment().coefficients().to_vec();
        let key = mine[0].value() - theirs[0].value() - theirs[1].value();
        let rogue =
            VerifiableSecretSharingCommitment::new(vec![CoefficientCommitment::new(key), mine[1]]);
        let proof = *dkg.commitments[&third].proof_of_knowledge();
        let mut seen = others(&dkg.commitments, &first);
        seen.insert(third, dkg::Commitment::new(rogue, proof));
        let error = dkg::share(dkg.secrets[&first].clone(), &seen).unwrap_err();
        assert_eq!(error, FrostError::BadDealing(numbers(&[3])), "{}", C::NAME);

        // A polynomial of another degree, and one commitment too few.
        let long = VerifiableSecretSharingCommitment::new(vec![mine[0], mine[1], mine[1]]);
        seen.insert(third, dkg::Commitment::new(long, proof));
        assert!(dkg::share(dkg.secrets[&first].clone(), &seen).is_err(), "{}", C::NAME);
        seen.remove(&third);
        assert!(dkg::share(dkg.secrets[&first].clone(), &seen).is_err(), "{}", C::NAME);
        let identity = CoefficientCommitment::<C>::new(C::Group::identity());
        assert!(identity.serialize().is_err());
    }
}

#[test]
fn a_rogue_commitment_is_named() {
    in_two_suites(Rogue);
}

#[derive(Clone, Copy)]
struct Replaced;

impl SuiteVisitor for Replaced {
    type Output = ();

    /// After the second step the last member replaces its commitment by the one above, and the share
    /// that it sends by one that fits: all would agree on a key that it alone knows.
    fn visit<C: Suite>(self) {
        use frost_core::keys::{
            CoefficientCommitment, SigningShare, VerifiableSecretSharingCommitment,
        };
        let dkg = Dkg::<C>::new(2, 3, 5);
        let (secrets, mut sent) = dkg.share();
        let [first, second, third] = ids::<C>(1..=3).try_into().unwrap();
        let theirs = [first, second].map(|id| dkg.commitments[&id].commitment().coefficients()[0]);
        let known = C::scalar(77);
        let key = C::Group::generator() * known;
        let constant = key - theirs[0].value() - theirs[1].value();
        // For the first member, whose identifier is 1.
        let share = C::scalar(5);
        let slope = C::Group::generator() * share - constant;
        let coefficients = [constant, slope].map(CoefficientCommitment::new);
        let proof = *dkg.commitments[&third].proof_of_knowledge();
        let replace = |coefficients: Vec<_>| {
            let commitment = VerifiableSecretSharingCommitment::new(coefficients);
            let mut seen = others(&dkg.commitments, &first);
            seen.insert(third, dkg::Commitment::new(commitment, proof));
            seen
        };
        let shares = sent.get_mut(&first).unwrap();
        let good = dkg::finish(&secrets[&first], &others(&dkg.commitments, &first), shares);
        assert!(good.is_ok());
        let honest = shares.insert(third, dkg::Share::new(SigningShare::new(share))).unwrap();
        let rogue = replace(coefficients.to_vec());
        let error = dkg::finish(&secrets[&first], &rogue, shares).unwrap_err();
        assert_eq!(error, FrostError::BadDealing(numbers(&[3])), "{}", C::NAME);

        // A longer one.
        shares.insert(third, honest);
        let mut long = dkg.commitments[&third].commitment().coefficients().to_vec();
        long.push(long[1]);
        let error = dkg::finish(&secrets[&first], &replace(long), shares).unwrap_err();
        let whose = Some(Signer::Number(3));
        assert_eq!(error, FrostError::Degree { whose, found: 3, expected: 2 }, "{}", C::NAME);
    }
}

#[test]
fn a_commitment_replaced_after_the_second_step_is_named() {
    in_two_suites(Replaced);
}

/// What a member has kept may be a file that says anything.
#[test]
fn secrets_of_no_threshold_are_refused() {
    type C = BabyJubjubPoseidon;
    let dkg = Dkg::<C>::new(2, 3, 6);
    let first = ids::<C>([1])[0];
    let others = others(&dkg.commitments, &first);
    let good = &dkg.secrets[&first];
    for (coefficients, threshold, signers) in
        [(vec![], 2, 3), (good.coefficients(), 3, 3), (good.coefficients(), 2, 0)]
    {
        let commitment = good.commitment().clone();
        let secret = dkg::Secret1::new(first, coefficients, commitment, threshold, signers);
        assert!(dkg::share(secret, &others).is_err());
    }
}

#[derive(Clone, Copy)]
struct Renewal;

impl SuiteVisitor for Renewal {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(4);
        let old = Committee::<C>::new(2, 4, &mut rng);
        // The fourth member is left out.
        let members = ids::<C>(1..=3);
        let (dealt, group) = refresh::deal(&old.group, &members, &mut rng).unwrap();
        assert_eq!(group.verifying_key(), old.group.verifying_key());
        let accept = |(id, share)| {
            let share = refresh::accept(share, &old.shares[&id], &group).unwrap();
            assert_eq!(group.verifying_shares()[&id], *share.verifying_share());
            (id, share)
        };
        let shares = dealt.clone().into_iter().map(accept).collect();
        // A dealer who tells others another group.
        let (_, other) = refresh::deal(&old.group, &members, &mut rng).unwrap();
        let (id, share) = dealt.into_iter().next().unwrap();
        assert!(refresh::accept(share, &old.shares[&id], &other).is_err());
        let new = Committee { shares, group };
        let session = new.session(&[1, 3], b"message", &mut rng);
        let signature = session.aggregate(&new.group).unwrap();
        old.group.verifying_key().verify(b"message", &signature).unwrap();
        // An old share is worth nothing beside a new one.
        let [one, two] = [identifier::<C>(1).unwrap(), identifier(2).unwrap()];
        let mixed = [(one, new.shares[&one].clone()), (two, old.shares[&two].clone())];
        let mixed = Committee { shares: mixed.into(), group: new.group };
        let session = mixed.session(&[1, 2], b"message", &mut rng);
        let error = session.aggregate(&mixed.group).unwrap_err();
        assert_eq!(error, FrostError::BadShares(numbers(&[2])), "{}", C::NAME);
        let strangers = refresh::deal(&old.group, &ids::<C>([1, 2, 9]), &mut rng);
        assert_eq!(strangers.unwrap_err(), FrostError::Unknown(numbers(&[9])));
        let few = refresh::deal(&old.group, &ids::<C>([1]), &mut rng);
        assert!(few.is_err());
    }
}

#[test]
fn renewed_shares_sign_and_old_ones_do_not() {
    in_two_suites(Renewal);
}

#[derive(Clone, Copy)]
struct Repair;

impl SuiteVisitor for Repair {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(5);
        let committee = Committee::<C>::new(3, 5, &mut rng);
        let (helpers, lost) = (ids::<C>([1, 4, 5]), identifier::<C>(2).unwrap());
        let parts: Vec<_> = helpers
            .iter()
            .map(|id| {
                let share = &committee.shares[id];
                repair::split(share, &committee.group, &helpers, lost, &mut rng).unwrap()
            })
            .collect();
        let sum = |id| repair::add(&parts.iter().map(|part| part[id]).collect::<Vec<_>>());
        let mut sums: Vec<_> = helpers.iter().map(sum).collect();
        let share = repair::finish(&sums, lost, &committee.group).unwrap();
        assert!(share == committee.shares[&lost], "{}", C::NAME);
        sums[1] = repair::Sigma::new(C::scalar(1));
        assert!(repair::finish(&sums, lost, &committee.group).is_err());
        assert!(repair::finish(&sums, identifier(9).unwrap(), &committee.group).is_err());
        let mut split = |helpers: &[u16], lost: u16| {
            let share = &committee.shares[&ids::<C>([1])[0]];
            let (helpers, lost) = (ids(helpers.to_vec()), identifier(lost).unwrap());
            repair::split(share, &committee.group, &helpers, lost, &mut rng).err().unwrap()
        };
        assert_eq!(split(&[1, 4], 2), FrostError::TooFew { found: 2, threshold: 3 });
        assert_eq!(split(&[1, 4, 4], 2), FrostError::Duplicate(Signer::Number(4)));
        assert_eq!(split(&[3, 4, 5], 2), FrostError::NotAHelper(Signer::Number(1)));
        // A point that is no member's, one that is a helper's, a helper that is no member.
        assert_eq!(split(&[1, 4, 5], 9), FrostError::Unknown(numbers(&[9])));
        assert_eq!(split(&[1, 4, 5], 4), FrostError::Duplicate(Signer::Number(4)));
        assert_eq!(split(&[1, 4, 8], 2), FrostError::Unknown(numbers(&[8])));
    }
}

#[test]
fn lost_shares_are_made_again() {
    in_two_suites(Repair);
}

#[test]
fn groups_have_at_least_two_signers() {
    type C = BabyJubjubPoseidon;
    for (threshold, signers) in [(0, 3), (1, 3), (4, 3), (2, 1), (2, 0)] {
        let error = FrostError::Threshold { threshold, signers: signers.into() };
        assert_eq!(keys::deal::<C>(threshold, signers, &mut rng(6)).unwrap_err(), error);
        let id = identifier::<C>(1).unwrap();
        assert_eq!(dkg::commit(id, threshold, signers, &mut rng(6)).unwrap_err(), error);
    }
}

#[derive(Clone, Copy)]
struct AsTheirs;

impl SuiteVisitor for AsTheirs {
    type Output = ();

    /// Our steps, which wipe what they make, come to what frost-core's come to.
    fn visit<C: Suite>(self) {
        use frost_core::keys as theirs;
        let (ours, group) = keys::deal::<C>(3, 5, &mut rng(7)).unwrap();
        let list = theirs::IdentifierList::Default;
        let expected = theirs::generate_with_dealer::<C, _>(5, 3, list, &mut rng(7)).unwrap();
        assert!((ours, group.clone()) == expected, "{}", C::NAME);
        let members = ids::<C>([1, 2, 4, 5]);
        let (dealt, renewed) = refresh::deal(&group, &members, &mut rng(8)).unwrap();
        let (shares, expected) =
            theirs::refresh::compute_refreshing_shares(group, &members, &mut rng(8)).unwrap();
        assert!(dealt.into_values().eq(shares) && renewed == expected, "{}", C::NAME);

        let dkg = Dkg::<C>::new(2, 3, 9);
        for (id, secret) in &dkg.secrets {
            let others = others(&dkg.commitments, id);
            let ours = dkg::share(secret.clone(), &others).unwrap();
            assert!(ours == theirs::dkg::part2(secret.clone(), &others).unwrap(), "{}", C::NAME);
        }
        let id = ids::<C>([2])[0];
        let ours = dkg::commit(id, 2, 3, &mut rng(10)).unwrap();
        assert!(ours == theirs::dkg::part1(id, 3, 2, rng(10)).unwrap(), "{}", C::NAME);
    }
}

#[test]
fn steps_come_to_what_frost_core_comes_to() {
    in_two_suites(AsTheirs);
}
