//! A group's life over documents, in every suite: nothing here is compiled for a suite.

use muster_testing::rng;
use serde_json::{json, Value};

use crate::frost::{
    ceremony::{Ceremony, Input, StepError},
    files::{Document, GroupFile, NoncesFile, Parcel, ShareFile, SignatureFile},
    FrostError, Signer, SuiteName,
};

/// A document as it is after it has been sent.
fn sent<D: Document>(document: &D) -> D {
    serde_json::from_str(&serde_json::to_string(document).unwrap()).unwrap()
}

/// A changed copy.
fn edited<D: Document>(document: &D, edit: impl FnOnce(&mut Value)) -> D {
    let mut value = serde_json::to_value(document).unwrap();
    edit(&mut value);
    serde_json::from_value(value).unwrap()
}

/// Makes a signature of the first and the last share.
fn sign(group: &GroupFile, shares: &[ShareFile]) -> Result<SignatureFile, StepError> {
    let ceremony = group.suite().ceremony();
    let signers = [&shares[0], &shares[shares.len() - 1]];
    let rounds = signers.map(|share| ceremony.commit(share, &mut rng()).unwrap());
    let list = rounds.each_ref().map(|(_, commitment)| sent(commitment));
    let signed: Vec<_> = signers
        .iter()
        .zip(&rounds)
        .map(|(share, (nonces, _))| {
            sent(&ceremony.sign(share, sent::<NoncesFile>(nonces), &list, b"message").unwrap())
        })
        .collect();
    ceremony.aggregate(group, &list, &signed, b"message")
}

fn check(group: &GroupFile, shares: &[ShareFile]) {
    let ceremony = group.suite().ceremony();
    shares.iter().for_each(|share| ceremony.check(&sent(group), Some(&sent(share))).unwrap());
    let signature = sent(&sign(group, shares).unwrap());
    ceremony.verify(group, b"message", &signature).unwrap();
    let other = ceremony.verify(group, b"massage", &signature).unwrap_err();
    assert!(other.to_string().contains("message"), "{other}");
    let short = edited(&signature, |signature| signature["signature"] = json!("0x00"));
    assert!(ceremony.verify(group, b"message", &short).is_err());
}

fn to(parcels: &[Vec<Parcel>], member: u16) -> Vec<Parcel> {
    let parcels = parcels.iter().flatten().filter(|parcel| parcel.receiver() == Some(member));
    parcels.map(sent).collect()
}

/// The three steps of everybody.
fn together(
    ceremony: Ceremony,
    old: Option<(&GroupFile, &[ShareFile])>,
) -> (GroupFile, Vec<ShareFile>) {
    let members: Vec<u16> = vec![1, 2, 3];
    let first: Vec<_> = members
        .iter()
        .map(|member| match old {
            None => ceremony.dkg_commit(*member, 2, 3, &mut rng()).unwrap(),
            Some((_, shares)) => {
                let share = &shares[usize::from(*member) - 1];
                ceremony.refresh_commit(share, 3, &mut rng()).unwrap()
            }
        })
        .collect();
    let commitments: Vec<_> = first.iter().map(|first| sent(&first.commitment)).collect();
    let second: Vec<_> = first
        .iter()
        .enumerate()
        .map(|(i, first)| match old {
            None => ceremony.dkg_share(&sent(&first.secret), &commitments).unwrap(),
            Some((_, shares)) => {
                ceremony.refresh_share(&shares[i], &sent(&first.secret), &commitments).unwrap()
            }
        })
        .collect();
    let shares: Vec<_> = second.iter().map(|second| second.shares.clone()).collect();
    let keys = members.iter().zip(&second).map(|(member, second)| {
        let (state, shares) = (sent(&second.state), to(&shares, *member));
        match old {
            None => ceremony.dkg_finish(&state, &commitments, &shares).unwrap(),
            Some((group, old)) => {
                let share = &old[usize::from(*member) - 1];
                ceremony.refresh_finish(share, group, &state, &commitments, &shares).unwrap()
            }
        }
    });
    let (groups, shares): (Vec<_>, Vec<_>) = keys.unzip();
    assert!(groups.iter().all(|group| *group == groups[0]));
    (groups[0].clone(), shares)
}

#[test]
fn a_life_in_every_suite() {
    for suite in SuiteName::ALL {
        let ceremony = suite.ceremony();
        let (group, shares) = ceremony.deal(2, 3, &mut rng()).unwrap();
        check(&group, &shares);

        let (group, shares) = together(ceremony, None);
        check(&group, &shares);
        let (renewed, new) = together(ceremony, Some((&group, &shares)));
        assert_eq!(renewed.public_key(), group.public_key());
        check(&renewed, &new);
        assert!(ceremony.check(&renewed, Some(&shares[0])).is_err(), "{suite}");

        let (group, dealt) = ceremony.refresh_deal(&renewed, &[1, 2, 3], &mut rng()).unwrap();
        let accept = |(share, dealt): (&ShareFile, &Parcel)| {
            ceremony.refresh_accept(share, &sent(dealt), &sent(&group)).unwrap()
        };
        let shares: Vec<_> = new.iter().zip(&dealt).map(accept).collect();
        check(&group, &shares);

        let parts = [0, 2].map(|i: usize| {
            ceremony.repair_split(&shares[i], &group, &[3, 1], 2, &mut rng()).unwrap()
        });
        let sums = [1, 3].map(|helper| sent(&ceremony.repair_add(&to(&parts, helper)).unwrap()));
        assert_eq!(ceremony.repair_finish(&group, &sums, 2).unwrap(), shares[1], "{suite}");
    }
}

/// The field that an error is about.
fn place<T: std::fmt::Debug>(result: Result<T, StepError>) -> (&'static str, usize, String) {
    match result {
        Err(StepError::Field { input: Input { name, place }, field }) => (name, place, field.at),
        other => panic!("{other:?}"),
    }
}

#[test]
fn parcels_of_two_repairs_do_not_mix() {
    let ceremony = SuiteName::BabyJubjub.ceremony();
    let (group, shares) = ceremony.deal(2, 4, &mut rng()).unwrap();
    let split = |helper: usize, helpers: &[u16], lost| {
        ceremony.repair_split(&shares[helper - 1], &group, helpers, lost, &mut rng()).unwrap()
    };
    let first = [split(1, &[1, 3], 2), split(3, &[1, 3], 2)];
    let other_member = [split(1, &[1, 3], 4), split(3, &[1, 3], 4)];
    let other_helpers = [split(1, &[1, 4], 2), split(4, &[1, 4], 2)];
    let again = [first[0].clone(), split(3, &[1, 3], 2)];
    for other in [&other_member, &other_helpers] {
        let parts = [to(&first, 1)[0].clone(), to(other, 1)[1].clone()];
        assert_eq!(place(ceremony.repair_add(&parts)), ("parts", 1, "repair".into()));
    }
    let parts = [first[0][0].clone(), first[1][1].clone()];
    assert_eq!(place(ceremony.repair_add(&parts)), ("parts", 1, "to".into()));
    let missing = ceremony.repair_add(&to(&first, 1)[..1]).unwrap_err();
    assert_eq!(missing, FrostError::Missing(vec![Signer::Number(3)]).into());
    assert!(ceremony.repair_add(&[]).is_err());

    // The same repair, split twice by the third member: helpers add up parts of different runs.
    let sums =
        [(&first, 1), (&again, 3)].map(|(parts, i)| ceremony.repair_add(&to(parts, i)).unwrap());
    let finish = |sums: &[Parcel], lost| ceremony.repair_finish(&group, sums, lost);
    assert_eq!(place(finish(&sums, 2)), ("sums", 1, "repair.run".into()));
    let sums = [1, 3].map(|i| ceremony.repair_add(&to(&first, i)).unwrap());
    assert_eq!(place(finish(&sums, 4)), ("sums", 0, "repair.lost".into()));
    let other = [1, 3].map(|i| ceremony.repair_add(&to(&other_member, i)).unwrap());
    let mixed = [sums[0].clone(), other[1].clone()];
    assert_eq!(place(finish(&mixed, 2)), ("sums", 1, "repair".into()));
    let missing = finish(&sums[1..], 2).unwrap_err();
    assert_eq!(missing, FrostError::Missing(vec![Signer::Number(1)]).into());
    assert_eq!(finish(&sums, 2).unwrap(), shares[1]);
    let (stranger, _) = ceremony.deal(2, 4, &mut rng()).unwrap();
    let elsewhere = ceremony.repair_finish(&stranger, &sums, 2);
    assert_eq!(place(elsewhere), ("sums", 0, "public_key".into()));
}

#[test]
fn documents_of_another_group_are_named() {
    let ceremony = SuiteName::BabyJubjub.ceremony();
    let (group, shares) = ceremony.deal(2, 3, &mut rng()).unwrap();
    let (other, others) = ceremony.deal(2, 3, &mut rng()).unwrap();
    let rounds = [0, 1].map(|i| ceremony.commit(&shares[i], &mut rng()).unwrap());
    let list = rounds.each_ref().map(|(_, commitment)| commitment.clone());
    let sign = |share, nonces: &NoncesFile, list: &[_]| {
        ceremony.sign(share, nonces.clone(), list, b"message")
    };
    let key = || "public_key".to_owned();
    assert_eq!(place(sign(&others[0], &rounds[0].0, &list)), ("commitments", 0, key()));
    let (nonces, commitment) = ceremony.commit(&others[0], &mut rng()).unwrap();
    assert_eq!(place(sign(&shares[0], &nonces, &list)), ("nonces", 0, key()));
    let mixed = [list[0].clone(), commitment];
    assert_eq!(place(sign(&shares[0], &rounds[0].0, &mixed)), ("commitments", 1, key()));
    let signed = [0, 1].map(|i| sign(&shares[i], &rounds[i].0, &list).unwrap());
    let aggregate =
        |group, list: &[_], signed: &[_]| ceremony.aggregate(group, list, signed, b"message");
    assert_eq!(place(aggregate(&other, &list, &signed)), ("commitments", 0, key()));
    let renamed = list.each_ref().map(|commitment| {
        edited(commitment, |c| c["public_key"] = serde_json::to_value(other.public_key()).unwrap())
    });
    assert_eq!(place(aggregate(&other, &renamed, &signed)), ("shares", 0, key()));
    aggregate(&group, &list, &signed).unwrap();
    let used = rounds[0].0.used_up();
    assert_eq!(place(sign(&shares[0], &used, &list)), ("nonces", 0, "used".into()));
    let ed25519 = SuiteName::Ed25519.ceremony();
    assert_eq!(place(ed25519.check(&group, None)), ("group", 0, "suite".into()));
}

/// frost-core leaves trailing bytes aside.
#[test]
fn parcels_have_one_encoding() {
    let ceremony = SuiteName::Ed25519.ceremony();
    let first = [1, 2].map(|member| ceremony.dkg_commit(member, 2, 2, &mut rng()).unwrap());
    let longer = |parcel: &Parcel| {
        edited(parcel, |parcel| {
            let content = parcel["content"].as_str().unwrap().to_owned();
            parcel["content"] = json!(content + "00");
        })
    };
    let commitments = first.each_ref().map(|first| first.commitment.clone());
    let content = || "content".to_owned();
    let bad = [commitments[0].clone(), longer(&commitments[1])];
    let share = |secret, list: &[_]| ceremony.dkg_share(secret, list);
    assert_eq!(place(share(&first[0].secret, &bad)), ("commitments", 1, content()));
    let secret = longer(&first[0].secret);
    assert_eq!(place(share(&secret, &commitments)), ("secret", 0, content()));
    let second = first.each_ref().map(|first| share(&first.secret, &commitments).unwrap());
    let finish = |state: &Parcel, share: &Parcel| {
        ceremony.dkg_finish(state, &commitments, std::slice::from_ref(share))
    };
    let (state, sent) = (&second[0].state, &second[1].shares[0]);
    assert_eq!(place(finish(&longer(state), sent)), ("state", 0, content()));
    assert_eq!(place(finish(state, &longer(sent))), ("shares", 0, content()));
    finish(state, sent).unwrap();

    let (group, shares) = ceremony.deal(2, 3, &mut rng()).unwrap();
    let (new, dealt) = ceremony.refresh_deal(&group, &[1, 2, 3], &mut rng()).unwrap();
    let taken = ceremony.refresh_accept(&shares[0], &longer(&dealt[0]), &new);
    assert_eq!(place(taken), ("dealt", 0, content()));
}
