//! Statements that say who signed, by the members who did not.

use std::ops::Range;

use halo2_base::halo2_proofs::halo2curves::ff::Field;
use muster_gadgets::signature::bls::member::CiphersuiteChip;
use muster_schemes::signature::bls::{member::MinPkBn254, MinPkPopBls12381};

use super::{
    bls::{scalar, Signed},
    complement::{under, wanted},
    *,
};
use crate::Rejection;

/// Eight members in a set with room for ten, and three slots.
fn eight_of_ten<S: CiphersuiteChip>(absent: &[usize]) -> Signed<S> {
    let scheme: Scheme = S::SCHEME.parse().expect("a scheme");
    under(fit(&Request { mask: true, ..wanted(scheme, 10, 3) }), 8, absent)
}

/// The sum of the secrets of all of eight members but some.
fn all_but<S: CiphersuiteChip>(absent: &[u64]) -> S::Scalar {
    (0..8).filter(|member| !absent.contains(member)).map(scalar::<S>).sum()
}

/// None is absent, some, and as many as there are slots. What is public is who signed, and nothing else that could be public is
/// accepted: one bit more, of an absent member, of a place without a member or of none at all, or one bit fewer.
#[test]
fn all_but_the_absent_are_named() {
    names_all_but::<MinPkBn254>(&[&[], &[2, 5], &[0, 6, 7]]);
    names_all_but::<MinPkPopBls12381>(&[&[2, 5]]);
}

fn names_all_but<S: CiphersuiteChip>(cases: &[&[usize]]) {
    for absent in cases {
        let case = eight_of_ten::<S>(absent).case;
        let public = case.statement.public_inputs();
        let Range { start, end } = case.shape.mask_inputs();
        let own = absent.iter().fold(0xff, |word, member| word & !(1u64 << member));
        assert_eq!(public[start..end], [Fr::from(own)]);
        let other = |bit: u32| [&public[..start], &[Fr::from(own ^ 1 << bit)]].concat();
        let others: Vec<_> = (0..12).map(other).collect();
        assert_accepts_its_own(&case.circuit().expect("it fits"), &case.shape, &public, &others);
    }
}

/// Words of sets with more members than a word has bits, and more room than members.
#[test]
fn several_words() {
    type S = MinPkBn254;
    let shape = fit(&Request { mask: true, ..wanted(Scheme::BlsBn254, 500, 2) });
    let case = under::<S>(shape, 300, &[3, 249]).case;
    let public = case.statement.public_inputs();
    let words = case.shape.mask_inputs();
    assert_eq!(words.len(), 3);
    let others = words.flat_map(|place| {
        [1, 51, 52, 247, 248].map(|bit| {
            let mut other = public.clone();
            other[place] += Fr::from(2).pow([bit]);
            other
        })
    });
    let others: Vec<_> = others.collect();
    assert_accepts_its_own(&case.circuit().expect("it fits"), &case.shape, &public, &others);
}

/// The prover's inputs for members 2 and 5 absent hold for that mask alone, and those for others do not for it, nor for their own.
#[test]
fn masks_are_of_those_who_signed() {
    type S = MinPkBn254;
    let signed = eight_of_ten::<S>(&[2, 5]);
    let honest = signed.without(&[2, 5], all_but::<S>(&[2, 5]));
    let named = |word: u64| {
        let mut other = eight_of_ten::<S>(&[2, 5]);
        let members = (0..10).filter(|member| word >> member & 1 == 1);
        other.case.statement.signers = SignerMask::new(10, members).ok();
        other
    };
    let own = 0b1101_1011;
    assert!(named(own).holds(&honest));
    // Not in the circuit's words, but in those of the statement.
    assert!(!named(own | 1 << 5).holds(&honest));
    for word in [own | 1 << 2, own & !1, own | 1 << 8, own | 1 << 9, 0xff, 0] {
        let other = named(word);
        assert!(!other.holds(&other.without(&[2, 5], all_but::<S>(&[2, 5]))), "{word:b}");
    }
    // Member 5 is in no slot and is named, but its key has not signed; or is in one, and is named all the same.
    let more = named(own | 1 << 5);
    assert!(!more.holds(&more.without(&[2], all_but::<S>(&[2, 5]))));
    assert!(more.holds(&more.without(&[2], all_but::<S>(&[2]))), "it has signed");
    assert!(!more.holds(&more.without(&[2, 5], all_but::<S>(&[2]))));
    // In a slot without a weight: the key there is the generator's, so it is as if member 5 were in none.
    let mut hidden = more.without(&[2, 5], all_but::<S>(&[2, 5]));
    hidden.slots[1].weight = 0;
    assert!(!more.holds(&hidden));
}

/// How many members there are is the root's to say.
#[test]
fn the_root_says_how_many_members_there_are() {
    type S = MinPkBn254;
    let mut claimed = eight_of_ten::<S>(&[2, 5]);
    let own = 0b1101_1011u64;
    for (members, word) in [(9, own | 1 << 8), (10, own | 0b11 << 8), (7, own & !(1 << 7))] {
        let signers = (0..10).filter(|member| word >> member & 1 == 1);
        claimed.case.statement.signers = SignerMask::new(10, signers).ok();
        let mut forged = claimed.without(&[2, 5], all_but::<S>(&[2, 5]));
        assert!(!claimed.holds(&forged));
        forged.whole.members = members;
        assert!(!claimed.holds(&forged), "{members}");
        // A root of such parts, for which it would hold, is that of no committee.
        let honest = claimed.case.statement.key_set_root;
        forged.key_set_root = forged.whole.root();
        claimed.case.statement.key_set_root = forged.key_set_root;
        assert!(claimed.holds(&forged), "{members}");
        assert_eq!(claimed.case.witness().err(), Some(Rejection::Root.into()));
        claimed.case.statement.key_set_root = honest;
    }
    // More than there is room for have no mask.
    let mut forged = claimed.without(&[2, 5], all_but::<S>(&[2, 5]));
    forged.whole.members = 11;
    forged.mask = vec![Fr::from(0x7ff & !0b10_0100)];
    forged.key_set_root = forged.whole.root();
    let Case { shape, statement, .. } = &claimed.case;
    let mut public =
        Statement { key_set_root: forged.key_set_root, signers: None, ..statement.clone() }
            .public_inputs();
    public.extend(&forged.mask);
    let circuit = filled(shape, &bls::scheme::<S>(), &forged).0;
    let judge = Judge::new(shape.degree(), &circuit, vec![public]);
    assert!(!judge.failures().is_empty());
}

/// Natively: whoever is named has signed, and whoever has is named.
#[test]
fn false_masks_are_rejected() {
    let mut case = eight_of_ten::<MinPkBn254>(&[2, 5]).case;
    let terms = case.shape.terms().expect("legal");
    let Case { committee, signatures, .. } = &case;
    let named = terms.signers(1, committee, signatures, 1).expect("members");
    assert_eq!(named, case.statement.signers);
    for (signers, expected) in [
        (&[0, 1, 3, 4, 6, 7][..], None),
        (&[0, 1, 2, 3, 4, 6, 7], Some(Rejection::NoSignature(2))),
        (&[0, 1, 3, 4, 6, 7, 8], Some(Rejection::NoSignature(8))),
        (&[0, 1, 3, 4, 6], Some(Rejection::Unnamed(7))),
    ] {
        case.statement.signers = SignerMask::new(10, signers.iter().copied()).ok();
        assert_eq!(case.witness().err(), expected.map(Error::from), "{signers:?}");
    }
}

/// Where few are absent the planner takes the mode, with a mask or without.
#[test]
fn the_cheapest_mode_is_taken() {
    for mask in [false, true] {
        let request = Request { absent: Some(2), mask, ..Request::new(Scheme::BlsBn254, 300, 300) };
        let (suite, depth) = (request.suite().expect("legal"), 3);
        let found = crate::modes::worth_a_layout(&request, suite, &suite.needs(), depth);
        assert_eq!(found, Ok(vec![Mode::Complement]));
    }
}
