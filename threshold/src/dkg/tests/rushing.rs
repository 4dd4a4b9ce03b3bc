//! Dealers that wait for the others' dealings, and dealers that sign two.

use super::flow::{certify, nodes, rng, search, second_dealing, signed_badly, stage, Stage};
use crate::{
    dkg::{group, Attestation, Certificate, Error, Node, Proposal, Verdict},
    pairing_curve::{scalar, Fr},
    pvss::{self, deal_with_share, decrypt, signed_digest, Subtranscript},
};

/// A dealing of player `dealer` by which share `share` of the sum with `others` is zero: whoever holds
/// the share knows what the others dealt it.
fn cancelling(stage: &Stage, others: &Subtranscript, dealer: usize, share: usize) -> Vec<u8> {
    let session = stage.ceremony.session();
    let owner = session.shape().owner(share - 1).0 + 1;
    let known = decrypt(session, others, owner, &stage.keys[owner - 1], search()).unwrap();
    let known = known.iter().find(|own| own.number() == share).unwrap();
    let value: Fr = -scalar(&known.to_bytes()).unwrap();
    let keys = &stage.keys[dealer - 1];
    let dealt = deal_with_share(session, dealer, keys, (share, &value), &mut rng(50)).unwrap();
    dealt.as_bytes().to_vec()
}

/// A certificate by players 1 and 4, who look at nothing.
fn certificate(stage: &Stage, proposal: &Proposal) -> Certificate {
    let attest = |player: usize| {
        Attestation::sign(&stage.ceremony, proposal, player, &stage.keys[player - 1])
    };
    Certificate::new(&stage.ceremony, proposal.clone(), &[attest(1), attest(4)]).unwrap()
}

/// A key could not be made of such a sum, and one certificate is decided an epoch: it is neither proposed
/// nor attested.
#[test]
fn the_last_dealer_makes_a_share_zero() {
    let stage = stage(1);
    let (first, dealings) = nodes(&stage);
    // Share 4 is that of player 3, and 5 to 7 are those of player 4, without whom there is too little stake.
    for (dealer, share, left) in [(4, 4, [1, 2, 4]), (4, 5, [2, 3, 4]), (1, 6, [2, 3, 4])] {
        let others: Vec<usize> = (1..=4).filter(|player| *player != dealer).collect();
        let others = first[0].sum(&others).unwrap();
        let mut all: Vec<_> = (1..).zip(dealings.clone()).collect();
        all[dealer - 1].1 = cancelling(&stage, &others, dealer, share);
        let mut node = Node::new(&stage.ceremony, 2, &stage.keys[1]).unwrap();
        assert!(node.receive_all(&all).iter().all(|verdict| *verdict == Verdict::Accepted));
        let zero = Error::Sharing(pvss::Error::ZeroShare { share });
        assert_eq!(node.sum(&[1, 2, 3, 4]).as_ref(), Err(&zero));
        let (proposal, sum) = node.propose().unwrap();
        assert_eq!(proposal.dealers, left);
        node.attest(&proposal).unwrap();
        let certified = node.accept(&certificate(&stage, &proposal), &sum).unwrap();
        group(&stage.ceremony, &certified).unwrap();
        // Whoever proposes it all the same finds nobody to attest it, and nobody to take it.
        let verified = (1..=4).map(|dealer| node.dealing(dealer).unwrap().clone());
        let mut parts = verified.map(|dealing| Subtranscript::from(&dealing));
        let mut whole = parts.next().unwrap();
        parts.for_each(|part| whole.add(&part).unwrap());
        let session = stage.ceremony.session();
        let digest = |dealer: usize| node.dealing(dealer).unwrap().dealt().digest();
        let bad = Proposal {
            dealers: vec![1, 2, 3, 4],
            dealings: (1..=4).map(digest).collect(),
            sum: whole.digest(session),
            ..proposal
        };
        assert_eq!(node.attest(&bad), Err(zero.clone()));
        assert_eq!(node.accept(&certificate(&stage, &bad), &whole), Err(zero));
    }
}

/// A dealer that signs a second dealing makes nobody forget that the first one was refused.
#[test]
fn a_refused_dealing_stays_refused() {
    let stage = stage(1);
    let (nodes, dealings) = nodes(&stage);
    let session = stage.ceremony.session();
    let bad = signed_badly(&stage, 2, &dealings[1]);
    let mut careful = Node::new(&stage.ceremony, 3, &stage.keys[2]).unwrap();
    assert!(matches!(careful.receive(2, &bad), Verdict::Refused(_)));
    assert!(matches!(careful.receive(2, &dealings[1]), Verdict::Equivocation(_)));
    let (good, sum) = nodes[0].propose().unwrap();
    let mut lying = good.clone();
    lying.dealings[1] = signed_digest(session, 2, &bad).unwrap();
    let refused = careful.accept(&certificate(&stage, &lying), &sum);
    assert_eq!(refused, Err(Error::OtherDealing { dealer: 2 }));
    careful.accept(&certificate(&stage, &good), &sum).unwrap();
}

/// A dealer shows one player another dealing than all others: that player holds no part of what is decided
/// until it has seen both.
#[test]
fn a_player_that_was_shown_another_dealing() {
    let stage = stage(1);
    let (others, dealings) = nodes(&stage);
    let second = second_dealing(&stage, 2);
    let mut alone = Node::new(&stage.ceremony, 3, &stage.keys[2]).unwrap();
    let shown: Vec<_> = (1..).zip([&dealings[0], &second, &dealings[2], &dealings[3]]).collect();
    for (dealer, dealing) in shown {
        assert_eq!(alone.receive(dealer, dealing), Verdict::Accepted);
    }
    let (certificate, sum) = certify(&stage, &others);
    let other = Err(Error::OtherDealing { dealer: 2 });
    assert_eq!(alone.accept(&certificate, &sum), other);
    assert!(matches!(alone.receive(2, &dealings[1]), Verdict::Equivocation(_)));
    alone.accept(&certificate, &sum).unwrap();
}

/// Many at once: nobody's second dealing passes, and what is held is not verified again.
#[test]
fn dealings_that_come_again() {
    let stage = stage(1);
    let (_, dealings) = nodes(&stage);
    let second = second_dealing(&stage, 4);
    let mut unsigned = dealings[0].clone();
    *unsigned.last_mut().unwrap() ^= 1;
    let all = [(1, &unsigned), (1, &dealings[0]), (1, &dealings[0]), (4, &dealings[3])];
    let all: Vec<_> = all.into_iter().chain([(4, &second), (2, &dealings[1])]).collect();
    let all: Vec<_> = all.into_iter().map(|(dealer, bytes)| (dealer, bytes.clone())).collect();
    let mut node = Node::observer(&stage.ceremony);
    let verdicts = node.receive_all(&all);
    assert!(matches!(verdicts[0], Verdict::Refused(_)));
    assert_eq!(verdicts[1..4], [Verdict::Accepted, Verdict::Known, Verdict::Accepted]);
    assert!(matches!(verdicts[4], Verdict::Equivocation(_)));
    assert_eq!(verdicts[5], Verdict::Accepted);
    assert_eq!(node.dealers(), [1, 2]);
    let again = node.receive_all(&all);
    assert!(matches!(again[0], Verdict::Refused(_)));
    assert_eq!(again[1..3], [Verdict::Known, Verdict::Known]);
    assert!(again[3..5].iter().all(|verdict| matches!(verdict, Verdict::Refused(_))));
    assert_eq!(again[5], Verdict::Known);
}

/// Bytes that the dealer has not signed say nothing about it, and cost a signature's check.
#[test]
fn what_the_dealer_did_not_sign_is_not_read() {
    let stage = stage(1);
    let (_, dealings) = nodes(&stage);
    let mut changed = dealings[1].clone();
    changed[..96].fill(0xff);
    let mut node = Node::observer(&stage.ceremony);
    let unsigned = Verdict::Refused(pvss::Error::Signature { dealer: 2 });
    assert_eq!(node.receive(2, &changed), unsigned);
    assert_eq!(node.receive_all(&[(2, changed)]), [unsigned]);
}

/// Whoever asks a node twice, or starts it again, makes no cheater of an honest player.
#[test]
fn a_node_deals_once() {
    let stage = stage(1);
    let node = || Node::new(&stage.ceremony, 2, &stage.keys[1]).unwrap();
    let mut first = node();
    let dealt = first.deal(&mut rng(1)).unwrap();
    assert_eq!(first.deal(&mut rng(2)).unwrap(), dealt);
    let mut again = node();
    assert_eq!(again.receive(2, &dealt), Verdict::Accepted);
    assert_eq!(again.deal(&mut rng(3)).unwrap(), dealt);
    assert_ne!(node().deal(&mut rng(3)).unwrap(), dealt);
}
