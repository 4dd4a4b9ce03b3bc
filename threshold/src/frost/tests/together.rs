//! Renewal without a dealer.

use frost_core::keys::{refresh as theirs, VerifiableSecretSharingCommitment};

use super::{
    lives::{ids, others, Dkg},
    *,
};
use crate::frost::keys::{dkg, refresh};

/// A refresh in which all but the last member of a group of four take part.
struct Renewal<C: Suite> {
    old: Committee<C>,
    first: Dkg<C>,
    secrets: BTreeMap<Identifier<C>, dkg::Secret2<C>>,
    sent: BTreeMap<Identifier<C>, dkg::Shares<C>>,
}

impl<C: Suite> Renewal<C> {
    fn new(seed: u64) -> Self {
        let mut rng = rng(seed);
        let old = Committee::<C>::new(2, 4, &mut rng);
        let mut first = Dkg { secrets: BTreeMap::new(), commitments: BTreeMap::new() };
        for id in ids::<C>(1..=3) {
            let (secret, commitment) = refresh::commit(&old.shares[&id], 3, &mut rng).unwrap();
            first.secrets.insert(id, secret);
            first.commitments.insert(id, commitment);
        }
        let (mut secrets, mut sent) = (BTreeMap::new(), BTreeMap::<_, BTreeMap<_, _>>::new());
        for (id, secret) in &first.secrets {
            let seen = others(&first.commitments, id);
            let (secret, shares) = refresh::share(secret.clone(), &seen).unwrap();
            secrets.insert(*id, secret);
            shares.into_iter().for_each(|(to, s)| drop(sent.entry(to).or_default().insert(*id, s)));
        }
        Self { old, first, secrets, sent }
    }

    fn finish(
        &self,
        id: &Identifier<C>,
        shares: &dkg::Shares<C>,
    ) -> Result<(KeyShare<C>, Group<C>), FrostError> {
        let seen = others(&self.first.commitments, id);
        let old = &self.old;
        refresh::finish(&self.secrets[id], &seen, shares, &old.shares[id], &old.group)
    }
}

#[derive(Clone, Copy)]
struct Renewed;

impl SuiteVisitor for Renewed {
    type Output = ();

    /// The new shares sign, and are those of frost-core's last step.
    fn visit<C: Suite>(self) {
        let renewal = Renewal::<C>::new(1);
        let Renewal { old, first, secrets, sent } = &renewal;
        let mut new = Committee::<C> { shares: BTreeMap::new(), group: old.group.clone() };
        for id in ids::<C>(1..=3) {
            let (share, group) = renewal.finish(&id, &sent[&id]).unwrap();
            let (package, mine) = (old.group.clone(), old.shares[&id].clone());
            let seen = others(&first.commitments, &id);
            let expected =
                theirs::refresh_dkg_shares(&secrets[&id], &seen, &sent[&id], package, mine);
            assert!((share.clone(), group.clone()) == expected.unwrap(), "{}", C::NAME);
            assert!(share.signing_share() != old.shares[&id].signing_share());
            new.shares.insert(id, share);
            new.group = group;
        }
        let session = new.session(&[1, 3], b"message", &mut rng(2));
        let signature = session.aggregate(&new.group).unwrap();
        verify(b"message", &signature, old.group.verifying_key()).unwrap();
    }
}

#[test]
fn members_renew_their_shares_without_a_dealer() {
    in_two_suites(Renewed);
}

#[derive(Clone, Copy)]
struct Wrong;

impl SuiteVisitor for Wrong {
    type Output = ();

    /// A share that does not fit, one that is missing, a commitment that is longer or shorter, the share
    /// of another group.
    fn visit<C: Suite>(self) {
        let renewal = Renewal::<C>::new(3);
        let [first, second, third] = ids::<C>(1..=3).try_into().unwrap();
        let mut wrong = renewal.sent[&first].clone();
        wrong.insert(third, renewal.sent[&second][&third].clone());
        let error = renewal.finish(&first, &wrong).unwrap_err();
        assert_eq!(error, FrostError::BadDealing(numbers(&[3])), "{}", C::NAME);
        wrong.remove(&third);
        let error = renewal.finish(&first, &wrong).unwrap_err();
        assert_eq!(error, FrostError::Missing(numbers(&[3])));
        for found in [0, 2, 65_537] {
            let mut seen = others(&renewal.first.commitments, &first);
            let coefficient = seen[&third].commitment().coefficients()[0];
            let commitment = VerifiableSecretSharingCommitment::new(vec![coefficient; found]);
            let proof = *seen[&third].proof_of_knowledge();
            seen.insert(third, dkg::Commitment::new(commitment, proof));
            let error = refresh::share(renewal.first.secrets[&first].clone(), &seen).unwrap_err();
            let whose = Some(Signer::Number(3));
            assert_eq!(error, FrostError::Degree { whose, found, expected: 1 });
        }
        let other = Committee::<C>::new(2, 4, &mut rng(4));
        let seen = others(&renewal.first.commitments, &first);
        let (share, group) = (&other.shares[&first], &renewal.old.group);
        let (state, sent) = (&renewal.secrets[&first], &renewal.sent[&first]);
        let error = refresh::finish(state, &seen, sent, share, group).unwrap_err();
        assert_eq!(error, FrostError::OtherGroup);
    }
}

#[test]
fn what_does_not_fit_a_renewal_is_named() {
    in_two_suites(Wrong);
}
