//! Signatures that do not count are set aside, with the reason, and no others.

use muster_schemes::{
    membership::PublicKey,
    signature::{
        bls::{member::Bls, HashedMessage, MinSigPopBn254},
        ecdsa::EcdsaP256,
        AnySignature, Choices, KeyKind, Message, PointHash, SignatureError,
    },
};

use super::*;
use crate::{sorting::Dropped, Rejection, Suite};

/// Signatures by members, in bytes.
type Bytes = Vec<(usize, Vec<u8>)>;

fn bytes(signed: &[(usize, AnySignature)]) -> Bytes {
    signed.iter().map(|(member, signature)| (*member, signature.to_bytes())).collect()
}

/// A committee of three, and a signature by anyone on a message.
struct Signers<S: SignatureInstructions> {
    scheme: S,
    suite: Suite,
    secrets: Vec<S::SecretKey>,
    committee: Committee,
}

impl<S: SignatureInstructions> Signers<S> {
    fn new(suite: Suite, choices: Choices) -> Self {
        let scheme = S::with(choices);
        let secret = |number: u8| {
            S::secret_key_from_seed(&[number + 1; 32]).expect("a seed that gives no zero")
        };
        let secrets: Vec<_> = (0..4).map(secret).collect();
        let member = |secret: &S::SecretKey| (scheme.member(&S::public_key(secret)), 1);
        let members: Vec<(PublicKey, u64)> = secrets[..3].iter().map(member).collect();
        let committee = Committee::new(&members).expect("three keys");
        Self { scheme, suite, secrets, committee }
    }

    fn sign(&self, signer: usize, message: &S::Message) -> AnySignature {
        self.scheme.sign_as_member(&self.secrets[signer], message, &mut rng(signer as u64))
    }

    /// The signatures that are left, in bytes, and the others.
    fn sorted(
        &self,
        message: &Message,
        signed: Vec<(usize, AnySignature)>,
    ) -> (Bytes, Vec<Dropped>) {
        let sorted = self.suite.sort_out(&self.committee, message, signed);
        let (good, dropped) = sorted.expect("signatures of the scheme");
        (bytes(&good), dropped)
    }

    /// Every way not to count, beside signatures that do, in every order.
    fn sorts(&self, message: &S::Message, other: &S::Message, reason: &dyn Fn(usize) -> Rejection) {
        let [own, theirs] = [message, other].map(|message| |member| self.sign(member, message));
        let stated = self.scheme.stated(message);
        let good = vec![(2, own(2)), (0, own(0))];
        assert_eq!(self.sorted(&stated, good.clone()), (bytes(&good), vec![]));
        assert_eq!(self.sorted(&stated, vec![]), (vec![], vec![]));
        let dropped = |place: usize, member: usize, reason: Rejection| Dropped {
            place,
            member: Some(member),
            reason: reason.into(),
        };
        let nobody = Rejection::NotAMember { member: 3, members: 3 };
        let signed = vec![
            // On another message, before the good one; by another member; by nobody; a second time.
            (2, theirs(2)),
            good[0].clone(),
            (1, own(0)),
            (3, own(3)),
            good[1].clone(),
            (0, own(0)),
            (usize::MAX, own(1)),
        ];
        let far = Rejection::NotAMember { member: usize::MAX, members: 3 };
        let expected = vec![
            dropped(0, 2, reason(2)),
            dropped(2, 1, reason(1)),
            dropped(3, 3, nobody),
            dropped(5, 0, Rejection::DuplicateSigner(0)),
            dropped(6, usize::MAX, far),
        ];
        assert_eq!(self.sorted(&stated, signed.clone()), (bytes(&good), expected));
        // All that is left does not count, and of the same signature twice one does.
        let (left, named) = self.sorted(&stated, vec![signed[0].clone(), signed[3].clone()]);
        assert_eq!((left.len(), named.len()), (0, 2));
        let twice = vec![signed[1].clone(), signed[1].clone()];
        assert_eq!(self.sorted(&stated, twice).0, bytes(&signed[1..2]));
    }
}

#[test]
fn each_signature_is_judged_by_itself() {
    let suite = Scheme::EcdsaP256.suite();
    let rule = SignatureError::Equation;
    let reason = |member| Rejection::Signature { member, rule };
    let signers = Signers::<EcdsaP256>::new(suite, Choices::default());
    signers.sorts(&[7; 32], &[8; 32], &reason);
}

/// Where keys add up, each signature is still one member's, under the suite's hash.
#[test]
fn signatures_that_could_be_added_up() {
    let hash = PointHash::Basic;
    let suite = Scheme::BlsBn254MinSig.suite().with_hash(hash).expect("it has this hash");
    let choices = Choices::default().with_hash::<Bls<MinSigPopBn254>>(hash).expect("the same");
    let signers = Signers::<Bls<MinSigPopBn254>>::new(suite, choices);
    let rule = SignatureError::Equation;
    let [own, other] = [[7; 32], [8; 32]].map(HashedMessage::from);
    signers.sorts(&own, &other, &|member| Rejection::Signature { member, rule });
    // Under another hash none holds.
    let message = Message::Digest([7; 32]);
    let signed = vec![(0, signers.sign(0, &own)), (1, signers.sign(1, &own))];
    let (left, named) = Scheme::BlsBn254MinSig
        .suite()
        .sort_out(&signers.committee, &message, signed.clone())
        .expect("signatures of the scheme");
    assert_eq!((left.len(), named.len()), (0, 2));
    // Their sum holds as a whole or not at all.
    let Signatures::Aggregate { members, signature } =
        suite.add_up(&signers.committee, &message, &signed).expect("both signed")
    else {
        panic!("a sum")
    };
    let check = |suite: Suite, members: &[usize]| {
        suite.check_sum(&signers.committee, &message, members, &signature)
    };
    assert_eq!(check(suite, &members), Ok(()));
    let refused = |members: &[usize]| {
        let members = members.to_vec();
        Err(Rejection::Aggregate { members, rule }.into())
    };
    for others in [&[0][..], &[0, 2], &[0, 1, 2]] {
        assert_eq!(check(suite, others), refused(others));
    }
    // The hash that it holds with is named.
    let refusal = check(Scheme::BlsBn254MinSig.suite(), &members);
    let Err(Error::Rejected(Rejection::Aggregate { rule: SignatureError::OtherHash(_), .. })) =
        refusal
    else {
        panic!("{refusal:?}")
    };
    assert_eq!(check(suite, &[0, 0]), Err(Rejection::DuplicateSigner(0).into()));
    assert_eq!(check(suite, &[]), Err(Rejection::NoSignatures.into()));
    let nobody = Rejection::NotAMember { member: 3, members: 3 };
    assert_eq!(check(suite, &[0, 3]), Err(nobody.into()));
    let scheme = Scheme::EcdsaP256;
    assert_eq!(check(scheme.suite(), &members), Err(Error::WrongKind(scheme)));
}

/// Whoever mixes schemes has made a mistake; no signer can.
#[test]
fn mixed_schemes_are_no_signers_fault() {
    let scheme = Scheme::EcdsaP256;
    let signers = Signers::<EcdsaP256>::new(scheme.suite(), Choices::default());
    let sort = |suite: Suite, message: Message, signature: AnySignature| {
        let good = (0, signers.sign(0, &[7; 32]));
        suite.sort_out(&signers.committee, &message, vec![good, (1, signature)]).err()
    };
    let message = Message::Digest([7; 32]);
    let own = signers.sign(1, &[7; 32]);
    assert_eq!(sort(scheme.suite(), message.clone(), own.clone()), None);
    let suite = Scheme::BlsBn254MinSig.suite();
    let others = Signers::<Bls<MinSigPopBn254>>::new(suite, Choices::default());
    let theirs = others.sign(1, &HashedMessage::from([7; 32]));
    assert_eq!(sort(scheme.suite(), message.clone(), theirs), Some(Error::WrongKind(scheme)));
    let wrong = Some(Error::WrongMessage(scheme));
    assert_eq!(sort(scheme.suite(), Fr::one().into(), own.clone()), wrong);
    // Of these nobody signs alone.
    let musig = Scheme::Musig;
    let refused = sort(musig.suite(), Fr::one().into(), own.clone());
    assert_eq!(refused, Some(Error::WrongKind(musig)));
    // The keys of the committee are of another scheme, too.
    let secp256k1 = Suite::new(Scheme::EcdsaSecp256k1, KeyKind::Coordinates, None, None);
    let secp256k1 = secp256k1.expect("it has such sets");
    let refused = sort(secp256k1, message, own);
    assert_eq!(refused, Some(Error::WrongKind(Scheme::EcdsaSecp256k1)));
}
