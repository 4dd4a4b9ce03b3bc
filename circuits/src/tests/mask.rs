//! Statements that say who signed.

use muster_schemes::{membership::MaskError, signature::bls::member::MinPkBn254};

use super::{
    bls::Signed,
    foreign::{case_of, small, KINDS},
    forged::{claim_weight, way, MODES},
    *,
};
use crate::{Rejection, MAX_MASKED};

fn masked(request: Request) -> Request {
    Request { mask: true, ..request }
}

/// Members 0, 2 and 5 of six, of weights 1, 3 and 6, in four slots.
fn three_of_six(scheme: Scheme, mode: Mode) -> Case {
    case(&masked(request(scheme, 6, 4, mode)), &[0, 2, 5], 31)
}

const OWN: u64 = 0b10_0101;

impl Case {
    /// Under the same statement, but for whom it names.
    fn naming(&self, signers: &[usize]) -> Case {
        let signers = signers.iter().copied();
        let mask = SignerMask::new(self.shape.capacity, signers).expect("members");
        let statement = Statement { signers: Some(mask), ..self.statement.clone() };
        let (shape, committee) = (self.shape.clone(), self.committee.clone());
        Case { shape, statement, committee, signatures: self.signatures.clone() }
    }

    fn verdict_on_mask(&self) -> Result<Vec<usize>, Error> {
        Ok(self.witness()?.select(&self.shape)?.taken().to_vec())
    }
}

/// Whether inputs hold for the word that they have.
fn holds(shape: &Shape, inputs: &Inputs) -> bool {
    let public = [inputs.key_set_root, Fr::from(inputs.threshold), inputs.message];
    satisfied(shape, inputs, [&public[..], &inputs.mask].concat())
}

/// What is public is who signed, and nothing else that could be public is accepted: a bit too many or too few, moved, or of nobody.
#[test]
fn those_who_signed_are_named() {
    for scheme in [Scheme::Schnorr, Scheme::Musig] {
        for mode in MODES {
            let case = three_of_six(scheme, mode);
            assert_eq!(case.statement.public_inputs()[3..], [Fr::from(OWN)]);
            assert_eq!(case.shape.mask_inputs(), 3..4);
            accepts_its_own(&case);
            let mut inputs = case.inputs();
            assert!(holds(&case.shape, &inputs), "{scheme}, {mode:?}");
            for word in
                [0, OWN | 2, OWN & !4, OWN ^ 0b1100, OWN ^ 0b1001, OWN | 1 << 6, OWN | 1 << 9]
            {
                inputs.mask = vec![Fr::from(word)];
                assert!(!holds(&case.shape, &inputs), "{scheme}, {mode:?}: {word:b}");
            }
            // One of them alone, and all that there are slots for.
            for signers in [&[4][..], &[1, 2, 3, 5]] {
                let wanted = masked(request(scheme, 6, 4, mode));
                accepts_its_own(&super::case(&wanted, signers, 32));
            }
        }
    }
}

/// The circuit that is filled after the native check accepts its own public inputs, and none that differ in one place.
fn accepts_its_own(case: &Case) {
    let circuit = case.circuit().expect("it fits");
    let public = case.statement.public_inputs();
    assert_eq!(public.len(), case.shape.public_inputs());
    assert_accepts_its_own(&circuit, &case.shape, &public, &[]);
}

#[test]
fn over_curves_of_other_fields() {
    for mode in MODES {
        let wanted = Request { mode: Some(mode), ..masked(small(KINDS[0], 6, 2)) };
        accepts_its_own(&case_of(fit(&wanted), KINDS[0], &[3, 4]));
        accepts_its_own(&case_of(fit(&wanted), KINDS[0], &[1]));
    }
}

#[test]
fn where_keys_add_up() {
    for (mode, signers) in [(Mode::Path, &[2][..]), (Mode::WholeSet, &[1, 3])] {
        let shape = fit(&masked(request(Scheme::BlsBn254, 4, 2, mode)));
        let case = Signed::<MinPkBn254>::under(shape, signers).case;
        accepts_its_own(&case);
    }
}

/// Each lane counts its own slots.
#[test]
fn in_several_lanes() {
    let wanted = masked(request(Scheme::Schnorr, 9, 7, Mode::WholeSet));
    let case = case(&Request { degree: Some(10), ..wanted }, &[1, 2, 3, 5, 7, 8], 36);
    assert!(case.shape.layout.edwards_lanes > 1);
    accepts_its_own(&case);
}

/// Words of sets with more members than a word has bits.
#[test]
fn several_words() {
    for mode in MODES {
        let wanted = masked(request(Scheme::Schnorr, 500, 4, mode));
        let case = case(&wanted, &[3, 247, 248, 499], 33);
        assert_eq!(case.shape.mask_inputs(), 3..6);
        accepts_its_own(&case);
    }
}

/// A slot that is not used names nobody, whichever member it points to.
#[test]
fn a_slot_that_is_not_used() {
    let case = three_of_six(Scheme::Schnorr, Mode::Path);
    let mut inputs = case.inputs();
    let path = way(&mut inputs.slots[3]);
    path.leaf.keys.swap(0, 3);
    path.position = 3;
    assert!(holds(&case.shape, &inputs));
    inputs.mask = vec![Fr::from(OWN | 8)];
    assert!(!holds(&case.shape, &inputs));
    // Nor does it where it claims a weight.
    claim_weight(&mut inputs.slots[3], 4);
    assert!(!holds(&case.shape, &inputs));
    let case = three_of_six(Scheme::Schnorr, Mode::WholeSet);
    let mut inputs = case.inputs();
    inputs.slots[3].index = 7;
    assert!(holds(&case.shape, &inputs));
    for more in [1 << 7, 1 << 3] {
        inputs.mask = vec![Fr::from(OWN | more)];
        assert!(!holds(&case.shape, &inputs));
    }
}

/// A tree has room for more members than the shape: those have no bit.
#[test]
fn a_member_beyond_the_capacity() {
    for mask in [false, true] {
        let wanted = Request { mask, ..request(Scheme::Schnorr, 6, 2, Mode::Path) };
        let larger = Request { mask, ..request(Scheme::Schnorr, 8, 2, Mode::Path) };
        let mut inputs = case(&larger, &[1, 7], 34).inputs();
        let shape = fit(&wanted);
        assert_eq!(shape.depth, fit(&larger).depth);
        assert_eq!(holds(&shape, &inputs), !mask);
        for word in [1 << 1, 1 << 1 | 1 << 5].map(Fr::from) {
            inputs.mask = vec![word; usize::from(mask)];
            assert_eq!(holds(&shape, &inputs), !mask);
        }
    }
}

#[test]
fn statements_say_who_signed_as_the_shape_does() {
    let case = three_of_six(Scheme::Schnorr, Mode::Path);
    assert_eq!(case.verdict_on_mask(), Ok(vec![0, 2, 5]));
    let mut other = case.naming(&[0, 2, 5]);
    other.statement.signers = None;
    assert_eq!(other.verdict_on_mask(), Err(Error::OtherMask));
    other.statement.signers = SignerMask::new(7, [0, 2, 5]).ok();
    assert_eq!(other.verdict_on_mask(), Err(Error::OtherMask));
    let mut other = case.naming(&[0, 2, 5]);
    other.shape = fit(&request(Scheme::Schnorr, 6, 4, Mode::Path));
    assert_eq!(other.verdict_on_mask(), Err(Error::OtherMask));
    let witness = case.witness().expect("it holds");
    assert_eq!(other.shape.circuit(&witness, false).err(), Some(Error::OtherTerms));
}

/// A statement may leave signers out, but names nobody who did not sign; an aggregate is by those who are named.
#[test]
fn false_masks_are_rejected() {
    let rejected = |rejection: Rejection| Err(Error::Rejected(rejection));
    for scheme in [Scheme::Schnorr, Scheme::Musig] {
        let mut case = three_of_six(scheme, Mode::WholeSet);
        let is_aggregate = scheme == Scheme::Musig;
        for signers in [&[0, 2, 4, 5][..], &[0, 4, 5], &[4]] {
            let verdict = case.naming(signers).verdict_on_mask();
            assert_eq!(verdict, rejected(Rejection::NoSignature(4)), "{scheme}");
        }
        case.statement.threshold = 7;
        let unnamed = rejected(Rejection::Unnamed(2));
        let left_out = if is_aggregate { unnamed.clone() } else { Ok(vec![0, 5]) };
        assert_eq!(case.naming(&[0, 5]).verdict_on_mask(), left_out, "{scheme}");
        let weight = rejected(Rejection::Weight { weight: 6, threshold: 7 });
        let too_few = if is_aggregate { rejected(Rejection::Unnamed(0)) } else { weight };
        assert_eq!(case.naming(&[5]).verdict_on_mask(), too_few, "{scheme}");
        if !is_aggregate {
            let fewer = case.naming(&[0, 5]);
            let selection = fewer.witness().expect("they sign").select(&fewer.shape);
            assert_eq!(selection.expect("slots").left_out(), [2]);
            accepts_its_own(&fewer);
        }
    }
}

/// More signatures than slots: a statement names those that are taken.
#[test]
fn the_heaviest_are_named() {
    let mut case = case(&masked(request(Scheme::Schnorr, 6, 4, Mode::WholeSet)), &[0, 1, 3, 5], 35);
    case.shape = fit(&masked(request(Scheme::Schnorr, 6, 2, Mode::WholeSet)));
    let terms = case.shape.terms().expect("legal");
    let named = |threshold| terms.signers(2, &case.committee, &case.signatures, threshold);
    let list = |threshold| named(threshold).map(|mask| mask.expect("a mask").to_vec());
    assert_eq!((list(10), list(6)), (Ok(vec![3, 5]), Ok(vec![5])));
    assert!(matches!(list(11), Err(Error::TooFewSlots { .. })));
    let too_many = Error::TooManySigners { signers: 4, slots: 2 };
    assert_eq!(case.naming(&[0, 1, 3, 5]).verdict_on_mask(), Err(too_many));
    case.statement.threshold = 4;
    // Whoever states it may name others.
    for signers in [&[3, 5][..], &[3], &[1, 5]] {
        let other = case.naming(signers);
        assert_eq!(other.verdict_on_mask(), Ok(signers.to_vec()));
        accepts_its_own(&other);
    }
    // An aggregate is by all.
    let Case { shape, committee, signatures, .. } = three_of_six(Scheme::Musig, Mode::WholeSet);
    let named = shape.terms().expect("legal").signers(1, &committee, &signatures, 4);
    assert_eq!(named.expect("members").expect("a mask").to_vec(), [0, 2, 5]);
    let without = fit(&request(Scheme::Schnorr, 6, 2, Mode::WholeSet)).terms().expect("legal");
    assert_eq!(without.signers(2, &case.committee, &case.signatures, 4), Ok(None));
}

#[test]
fn requests_that_no_mask_serves() {
    let mut shape = fit(&masked(request(Scheme::Schnorr, 4, 2, Mode::Path)));
    assert_eq!(shape.check(), Ok(()));
    shape.capacity = MAX_MASKED + 1;
    let refused = Error::Mask(MaskError::Capacity(MAX_MASKED + 1));
    assert_eq!(shape.check(), Err(refused.clone()));
    let wanted = masked(request(Scheme::Schnorr, MAX_MASKED + 1, 2, Mode::Path));
    assert_eq!(Shape::fit(&wanted).err(), Some(refused.clone()));
    assert_eq!(wanted.terms().err(), Some(refused));
}

/// Shapes without a mask are written as they were before there were any.
#[test]
fn shapes_without_a_mask_do_not_mention_it() {
    for mask in [false, true] {
        let shape = fit(&Request { mask, ..request(Scheme::Schnorr, 4, 2, Mode::Path) });
        let text = serde_json::to_string(&shape).expect("numbers and names");
        assert_eq!(text.contains("mask"), mask, "{text}");
        assert_eq!(serde_json::from_str::<Shape>(&text).expect("a shape"), shape);
    }
}
