//! Statements that say who signed, of schemes that `mask` has no circuit for: addresses, P-256, BIP-340, Ed25519,
//! `bls-bls12-381`.

use muster_gadgets::signature::instructions::Verified;
use muster_schemes::signature::{bls::MinPkPopBls12381, Rule, SignedMessage};

use muster_testing::sampled;

use super::{
    bls::Signed,
    ed25519,
    foreign::{case_of, small, KINDS},
    *,
};
use crate::threshold::InputsOf;

fn masked(request: Request, mode: Mode) -> Request {
    Request { mask: true, mode: Some(mode), ..request }
}

/// Addresses, P-256, and BIP-340.
fn foreign(kind: usize, mode: Mode, signers: &[usize]) -> Case {
    case_of(fit(&masked(small(KINDS[kind], 4, 2), mode)), KINDS[kind], signers)
}

fn by_ed25519(mode: Mode, signers: &[usize]) -> Case {
    let wanted = masked(ed25519::wanted(Rule::Zip215, ed25519::BYTES, 2), mode);
    let mut case = ed25519::case_of(&wanted, signers);
    case.statement.signers = SignerMask::new(4, signers.iter().copied()).ok();
    case
}

fn by_bls12381(mode: Mode, signers: &[usize]) -> Case {
    let shape = fit(&masked(request(Scheme::BlsBls12381, 4, 2, mode), mode));
    Signed::<MinPkPopBls12381>::under(shape, signers).case
}

/// A case, the word of those who signed, and another one.
type Named = (fn() -> Case, u64, u64);

/// Fills the circuit for signatures that are good with whatever word says who made them.
struct WithWord<'a>(&'a Case, u64);

impl SchemeVisitor for WithWord<'_> {
    type Output = GateCircuit;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> GateCircuit {
        let Case { shape, statement, committee, signatures } = self.0;
        let (members, list): (Vec<_>, Vec<_>) = match signatures {
            Signatures::Independent(list) => list.iter().cloned().unzip(),
            Signatures::Aggregate { members, signature } => {
                (members.clone(), vec![signature.clone()])
            }
        };
        let entries = committee.members();
        let keys: Vec<_> = members.iter().map(|i| entries[*i].public_key.clone()).collect();
        let message = S::Message::of(&statement.message).expect("a message of the scheme");
        let verified = scheme.verify_all(&statement.key_set_root, &keys, &message, &list).ok();
        let Verified { keys, signatures } = verified.expect("good signatures");
        let is_path = shape.mode == Mode::Path;
        let slot = |(member, public_key): (&usize, S::RawKey)| threshold::Slot {
            index: *member as u64,
            public_key,
            weight: entries[*member].weight,
            path: is_path.then(|| self.0.path(*member)),
        };
        let tree = shape.tree(committee).expect("it fits");
        let inputs: InputsOf<S> = threshold::Inputs {
            key_set_root: statement.key_set_root,
            threshold: statement.threshold,
            message,
            slots: members.iter().zip(keys).map(slot).collect(),
            signatures,
            leaves: if is_path { vec![] } else { committee.set().leaves() },
            whole: tree.whole().copied().unwrap_or_default(),
            rest: None,
            unused_key: vec![],
            mask: vec![Fr::from(self.1)],
        };
        filled(shape, &scheme, &inputs.padded(shape, &scheme)).0
    }
}

/// Two of four members, or one in two slots: what is public is their bits. A run asks about a sample of the schemes. With a bit too many or moved the circuit does not hold,
/// whatever it is filled with.
#[test]
fn those_who_signed_are_named_in_other_schemes() {
    let cases: [Named; 5] = [
        (|| foreign(1, Mode::WholeSet, &[3]), 0b1000, 0b1100),
        (|| foreign(2, Mode::Path, &[1, 3]), 0b1010, 0b1001),
        (|| foreign(3, Mode::WholeSet, &[1, 3]), 0b1010, 0b0110),
        (|| by_ed25519(Mode::Path, &[2]), 0b0100, 0b1000),
        (|| by_bls12381(Mode::WholeSet, &[1, 3]), 0b1010, 0b1011),
    ];
    for (case, own, other) in sampled(cases, 3) {
        let case = case();
        let shape = &case.shape;
        assert!(case.is_valid(), "{}", shape.scheme);
        let named = |word: u64| {
            let mut public = case.statement.public_inputs();
            public[shape.mask_inputs()].copy_from_slice(&[Fr::from(word)]);
            public
        };
        let public = case.statement.public_inputs();
        assert_eq!(named(own), public, "{}", shape.scheme);
        let circuit = |word| shape.suite().expect("a shape").visit(WithWord(&case, word));
        assert_accepts_its_own(&circuit(own), shape, &public, &[named(other)]);
        let judge = Judge::new(shape.degree(), &circuit(other), vec![named(other)]);
        assert!(!judge.failures().is_empty(), "{}: {other:b}", shape.scheme);
    }
}
