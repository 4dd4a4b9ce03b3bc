//! A committee that makes a key, with cheaters among it.

use std::sync::{Arc, OnceLock};

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::{
    bls::{MinSigBasicBls12381, SecretShare, SignatureShare},
    dkg::{
        group, shares, Attestation, Ceremony, Certificate, Error, Fraction, InMemoryAgreement,
        Node, Proposal, Verdict,
    },
    pvss::{
        dlog::{Search, Table},
        Equation, Parameters, SecretKeys, Session, Shape, Srs, Subtranscript, Variant,
    },
};

const WEIGHTS: [u32; 4] = [2, 1, 1, 3];
const STAKES: [u64; 4] = [20, 10, 10, 30];

pub(super) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

pub(super) fn search() -> &'static Search {
    static SEARCH: OnceLock<Search> = OnceLock::new();
    SEARCH.get_or_init(|| Search::new(Table::new(14).unwrap()))
}

pub(super) struct Stage {
    pub(super) ceremony: Ceremony,
    pub(super) keys: Vec<SecretKeys>,
}

pub(super) fn stage(epoch: u64) -> Stage {
    let shape = Shape::new(Variant::Compact, 16, 5, &WEIGHTS).unwrap();
    let srs = Srs::insecure(shape.domain(), &mut rng(1)).unwrap();
    let mut rng = rng(2);
    let keys: Vec<SecretKeys> = (0..4).map(|_| SecretKeys::generate(&mut rng)).collect();
    let bundles: Vec<_> = keys.iter().map(|keys| keys.publish(&mut rng)).collect();
    let parameters = Parameters::new(&srs, shape.domain()).unwrap();
    let session = Session::new(shape, &bundles, parameters, epoch, b"dkg").unwrap();
    let fraction = |a, b| Fraction::new(a, b).unwrap();
    let ceremony =
        Ceremony::new(Arc::new(session), &STAKES, fraction(2, 3), fraction(1, 3)).unwrap();
    Stage { ceremony, keys }
}

/// Everybody's dealings, and nodes that have received them.
pub(super) fn nodes(stage: &Stage) -> (Vec<Node<'_>>, Vec<Vec<u8>>) {
    let mut nodes: Vec<Node<'_>> = (1..=4)
        .map(|player| Node::new(&stage.ceremony, player, &stage.keys[player - 1]).unwrap())
        .collect();
    let deal = |(seed, node): (u64, &mut Node<'_>)| node.deal(&mut rng(seed)).unwrap();
    let dealings: Vec<Vec<u8>> = (10..).zip(&mut nodes).map(deal).collect();
    for node in &mut nodes {
        let all: Vec<_> = (1..).zip(dealings.iter().cloned()).collect();
        assert!(node.receive_all(&all).iter().all(|verdict| *verdict == Verdict::Accepted));
    }
    (nodes, dealings)
}

/// What a player's other node, which knows nothing of the first, deals.
pub(super) fn second_dealing(stage: &Stage, player: usize) -> Vec<u8> {
    let node = Node::new(&stage.ceremony, player, &stage.keys[player - 1]);
    node.unwrap().deal(&mut rng(99)).unwrap()
}

pub(super) fn certify(stage: &Stage, nodes: &[Node<'_>]) -> (Certificate, Subtranscript) {
    let (proposal, sum) = nodes[0].propose().unwrap();
    let attestations: Vec<Attestation> =
        nodes.iter().map(|node| node.attest(&proposal).unwrap()).collect();
    (Certificate::new(&stage.ceremony, proposal, &attestations).unwrap(), sum)
}

#[test]
fn any_shares_of_a_threshold_sign() {
    let stage = stage(1);
    let (nodes, _) = nodes(&stage);
    let (certificate, sum) = certify(&stage, &nodes);
    let mut agreement = InMemoryAgreement::default();
    let decided = agreement.decide(certificate);
    for node in &nodes {
        node.accept(&decided, &sum).unwrap();
    }
    let sum = nodes[0].accept(&decided, &sum).unwrap();
    let group = group(&stage.ceremony, &sum).unwrap();
    let mut all: Vec<SecretShare<MinSigBasicBls12381>> = vec![];
    for player in 1..=4 {
        let keys = &stage.keys[player - 1];
        all.extend(shares(&stage.ceremony, &sum, player, keys, search()).unwrap());
    }
    all.iter().for_each(|share| group.check_secret(share).unwrap());
    let message = b"hello";
    let signed: Vec<SignatureShare<MinSigBasicBls12381>> =
        all.iter().map(|share| share.sign(message)).collect();
    for first in 0..=signed.len() - 5 {
        let chosen = &signed[first..first + 5];
        let made = group.aggregate(message, chosen, &mut rng(3)).unwrap();
        // Plain blst takes it.
        let key = blst::min_sig::PublicKey::key_validate(&group.public_key().to_bytes()).unwrap();
        let signature =
            blst::min_sig::Signature::sig_validate(&made.signature.to_bytes(), true).unwrap();
        let tag = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
        let verdict = signature.verify(true, message, tag, &[], &key, true);
        assert_eq!(verdict, blst::BLST_ERROR::BLST_SUCCESS);
    }
    assert!(group.aggregate(message, &signed[..4], &mut rng(3)).is_err());
}

#[test]
fn cheating_dealers_are_named_and_left_out() {
    let stage = stage(1);
    let (nodes, dealings) = nodes(&stage);
    let mut late = Node::new(&stage.ceremony, 1, &stage.keys[0]).unwrap();
    // A dealing of somebody else, bytes of another length, and a bad one.
    assert!(matches!(late.receive(2, &dealings[2]), Verdict::Refused(_)));
    assert!(matches!(late.receive(2, &dealings[1][1..]), Verdict::Refused(_)));
    assert!(matches!(late.receive(9, &dealings[1]), Verdict::Refused(_)));
    assert_eq!(late.receive(2, &dealings[1]), Verdict::Accepted);
    assert_eq!(late.receive(2, &dealings[1]), Verdict::Known);
    assert_eq!(late.receive(1, &dealings[0]), Verdict::Accepted);
    let refused = late.propose().unwrap_err();
    assert!(matches!(refused, Error::LightDealers { .. }), "{refused}");
    // Player 4 signs a second one: proof for everybody.
    assert_eq!(late.receive(4, &dealings[3]), Verdict::Accepted);
    let second = second_dealing(&stage, 4);
    let Verdict::Equivocation(proof) = late.receive(4, &second) else { panic!("not seen") };
    assert_eq!(proof.dealer, 4);
    proof.verify(&stage.ceremony).unwrap();
    let mut same = (*proof).clone();
    same.dealings[1] = same.dealings[0].clone();
    assert_eq!(same.verify(&stage.ceremony), Err(Error::NoEquivocation));
    assert_eq!(late.dealers(), [1, 2]);
    assert!(matches!(late.receive(4, &dealings[3]), Verdict::Refused(_)));
    let (proposal, _) = nodes[0].propose().unwrap();
    assert_eq!(late.attest(&proposal), Err(Error::MissingDealing { dealer: 3 }));
    assert_eq!(late.receive(3, &dealings[2]), Verdict::Accepted);
    assert_eq!(late.attest(&proposal), Err(Error::Equivocator { dealer: 4 }));
}

#[test]
fn proposals_that_are_refused() {
    let stage = stage(1);
    let (nodes, _) = nodes(&stage);
    let (good, _) = nodes[0].propose().unwrap();
    let change = |alter: &dyn Fn(&mut Proposal)| {
        let mut proposal = good.clone();
        alter(&mut proposal);
        nodes[1].attest(&proposal).unwrap_err()
    };
    let light = change(&|p| (p.dealers, p.dealings) = (vec![1, 2, 3], p.dealings[..3].to_vec()));
    assert!(matches!(light, Error::LightDealers { .. }));
    assert_eq!(change(&|p| p.dealers[1] = 1), Error::Dealers);
    assert_eq!(change(&|p| p.dealers.swap(0, 1)), Error::Dealers);
    assert_eq!(change(&|p| p.dealers[3] = 5), Error::Dealers);
    assert_eq!(change(&|p| p.dealers[0] = 0), Error::Dealers);
    assert_eq!(change(&|p| p.dealers.clear()), Error::Dealers);
    assert_eq!(change(&|p| p.dealings[2][0] ^= 1), Error::OtherDealing { dealer: 3 });
    assert_eq!(change(&|p| p.sum[0] ^= 1), Error::OtherSum);
    assert_eq!(change(&|p| p.epoch += 1), Error::OtherCeremony);
    assert_eq!(change(&|p| p.ceremony[0] ^= 1), Error::OtherCeremony);
    // One dealer missing from the sum: still enough stake, another digest.
    let missing = nodes[0].sum(&[1, 3, 4]).unwrap().digest(stage.ceremony.session());
    assert_eq!(change(&|p| p.sum = missing), Error::OtherSum);
}

#[test]
fn certificates_that_are_refused() {
    let stage = stage(1);
    let (nodes, dealings) = nodes(&stage);
    let (certificate, sum) = certify(&stage, &nodes);
    let ceremony = &stage.ceremony;
    let proposal = certificate.proposal.clone();
    let attest = |player: usize| nodes[player - 1].attest(&proposal).unwrap();
    let light = Certificate::new(ceremony, proposal.clone(), &[attest(1), attest(1)]);
    assert!(matches!(light, Err(Error::LightAttesters { .. })));
    let fine = Certificate::new(ceremony, proposal.clone(), &[attest(4), attest(4)]).unwrap();
    assert_eq!(fine.attesters, [4]);
    nodes[0].accept(&fine, &sum).unwrap();
    let mut forged = attest(1);
    forged.player = 2;
    let refused = Certificate::new(ceremony, proposal.clone(), &[forged.clone()]);
    assert_eq!(refused, Err(Error::Attestation { player: 2 }));
    // Sent in somebody's name, whose own counts, it stops nothing.
    let all = [forged, attest(4), attest(2)];
    let made = Certificate::new(ceremony, proposal.clone(), &all).unwrap();
    assert_eq!(made.attesters, [2, 4]);
    nodes[0].accept(&made, &sum).unwrap();
    let change = |alter: &dyn Fn(&mut Certificate)| {
        let mut certificate = certificate.clone();
        alter(&mut certificate);
        nodes[1].accept(&certificate, &sum).unwrap_err()
    };
    assert!(matches!(change(&|c| c.attesters = vec![1]), Error::LightAttesters { .. }));
    assert_eq!(change(&|c| c.attesters = vec![1, 4]), Error::Certificate);
    assert_eq!(change(&|c| c.attesters = vec![4, 4]), Error::Dealers);
    assert_eq!(change(&|c| c.signature[5] ^= 1), Error::Certificate);
    assert_eq!(change(&|c| c.proposal.sum[0] ^= 1), Error::Certificate);
    assert_eq!(change(&|c| c.proposal.epoch = 2), Error::OtherCeremony);
    let other = nodes[0].sum(&[1, 2, 3]).unwrap();
    assert_eq!(nodes[1].accept(&certificate, &other), Err(Error::OtherSum));
    // Attestations of another epoch: same players, another session.
    let next = self::stage(2);
    let (others, _) = self::nodes(&next);
    let (old, old_sum) = certify(&next, &others);
    assert_eq!(nodes[0].accept(&old, &old_sum), Err(Error::OtherCeremony));
    // What was certified for another ceremony is none of this one.
    let certified = nodes[0].accept(&certificate, &sum).unwrap();
    assert_eq!(certified.sum(), &sum);
    let other = Err(Error::OtherCeremony);
    assert_eq!(group(&next.ceremony, &certified).map(|_| ()), other);
    let opened = shares(&next.ceremony, &certified, 1, &next.keys[0], search());
    assert_eq!(opened.map(|_| ()), other);
    // A late player takes what was certified; one that holds a refused dealing does not.
    let late = Node::new(ceremony, 2, &stage.keys[1]).unwrap();
    late.accept(&certificate, &sum).unwrap();
    assert!(dealings.len() == 4);
}

/// A dealing that does not verify, signed by its dealer.
pub(super) fn signed_badly(stage: &Stage, dealer: usize, dealing: &[u8]) -> Vec<u8> {
    let session = stage.ceremony.session();
    let mut bad = dealing.to_vec();
    let length = session.shape().transcript_bytes();
    bad[length - 1] ^= 1;
    let message = crate::pvss::signed_message(session, dealer, &bad[..length]).unwrap();
    bad[length..].copy_from_slice(&stage.keys[dealer - 1].sign(&message));
    bad
}

/// A certificate over a dealing that does not verify, by attesters that did not look.
#[test]
fn a_decided_dealing_that_is_invalid() {
    let stage = stage(1);
    let (nodes, dealings) = nodes(&stage);
    let bad = signed_badly(&stage, 2, &dealings[1]);
    let mut careful = Node::new(&stage.ceremony, 3, &stage.keys[2]).unwrap();
    let verdict = careful.receive(2, &bad);
    let Verdict::Refused(crate::pvss::Error::Refused { dealer: 2, equation, .. }) = verdict else {
        panic!("{verdict:?}")
    };
    assert_eq!(equation, Equation::Correlation);
    let (mut proposal, sum) = nodes[0].propose().unwrap();
    proposal.dealings[1] = crate::pvss::signed_digest(stage.ceremony.session(), 2, &bad).unwrap();
    let attest = |player: usize| {
        Attestation::sign(&stage.ceremony, &proposal, player, &stage.keys[player - 1])
    };
    let attestations = [attest(1), attest(4)];
    let decided = Certificate::new(&stage.ceremony, proposal, &attestations).unwrap();
    let refused = careful.accept(&decided, &sum);
    assert_eq!(refused, Err(Error::OtherDealing { dealer: 2 }));
}

/// Bounds below which all dealers, or all attesters, could be dishonest.
#[test]
fn bounds_below_a_third() {
    let stage = stage(1);
    let session = Arc::new(stage.ceremony.session().clone());
    let fraction = |a, b| Fraction::new(a, b).unwrap();
    let (third, low) = (fraction(1, 3), fraction(332, 999));
    let made = |dealers, attesters| Ceremony::new(session.clone(), &STAKES, dealers, attesters);
    made(third, third).unwrap();
    assert_eq!(made(low, third).unwrap_err(), Error::LowBound { bound: low });
    assert_eq!(made(third, low).unwrap_err(), Error::LowBound { bound: low });
}
