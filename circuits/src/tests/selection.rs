//! More signatures than slots, and what is checked before there is a layout.

use super::*;
use crate::{
    selection::{Selection, Weighted},
    Rejection, Signature,
};

/// Members of the weights 1 to 6, of whom these sign.
fn signed(scheme: Scheme, signers: &[usize]) -> Case {
    let mut case = case(&request(scheme, 6, signers.len(), Mode::WholeSet), signers, 21);
    case.shape = Shape::fit(&request(scheme, 6, 2, Mode::WholeSet)).expect("the shape is legal");
    assert_eq!(case.shape.slots, 2);
    case
}

impl Case {
    fn at(&self, threshold: u64) -> Result<Selection, Error> {
        let statement = Statement { threshold, ..self.statement.clone() };
        let terms = self.shape.terms()?;
        terms.verify(&statement, &self.committee, &self.signatures)?.select(&self.shape)
    }

    fn independent(&mut self) -> &mut Vec<(usize, Signature)> {
        match &mut self.signatures {
            Signatures::Independent(list) => list,
            Signatures::Aggregate { .. } => panic!("an aggregate"),
        }
    }
}

#[test]
fn the_heaviest_signatures_are_taken() {
    for scheme in [Scheme::Schnorr, Scheme::Eddsa] {
        let mut case = signed(scheme, &[0, 1, 3, 5]);
        for _ in 0..2 {
            for (threshold, taken, left_out) in [
                (10, vec![3, 5], vec![0, 1]),
                (7, vec![3, 5], vec![0, 1]),
                (6, vec![5], vec![0, 1, 3]),
                (1, vec![5], vec![0, 1, 3]),
            ] {
                let selection = case.at(threshold).expect("they reach it");
                assert_eq!((selection.taken(), selection.left_out()), (&taken[..], &left_out[..]));
            }
            // The order in which signatures are given does not matter.
            case.independent().reverse();
        }
        case.statement.threshold = 10;
        let circuit = case.circuit().expect("they reach it");
        assert!(is_satisfied(&circuit, &case.shape, case.statement.public_inputs()));
    }
}

#[test]
fn of_one_weight_the_first_members_are_taken() {
    let signers = [5, 3, 0, 1].map(|member| Weighted { member, weight: 7 });
    let selection = Selection::new(3, 15, &signers, false).expect("they reach it");
    assert_eq!((selection.taken(), selection.left_out()), (&[0, 1, 3][..], &[5][..]));
}

#[test]
fn as_many_as_there_are_slots_are_all_taken() {
    let case = signed(Scheme::Schnorr, &[1, 5]);
    let selection = case.at(1).expect("they reach it");
    assert_eq!((selection.taken(), selection.left_out()), (&[1, 5][..], &[][..]));
}

#[test]
fn too_few_slots_are_no_false_statement() {
    let case = signed(Scheme::Schnorr, &[0, 1, 3, 5]);
    for threshold in [11, 13] {
        let too_few = Error::TooFewSlots { signers: 4, slots: 2, weight: 10, threshold };
        assert_eq!(case.at(threshold).err(), Some(too_few));
    }
    let false_statement = Rejection::Weight { weight: 13, threshold: 14 };
    assert_eq!(case.at(14).err(), Some(false_statement.into()));
}

/// One signature of all: nobody can be left out of it.
#[test]
fn an_aggregate_is_of_all_its_signers() {
    let case = signed(Scheme::Musig, &[0, 1, 3, 5]);
    let too_many = Error::TooManySigners { signers: 4, slots: 2 };
    assert_eq!(case.at(6).err(), Some(too_many));
}

/// Signatures that are left out are verified all the same, so that nobody has to guess.
#[test]
fn a_bad_signature_is_named_although_it_would_be_left_out() {
    let mut case = signed(Scheme::Schnorr, &[0, 1, 3, 5]);
    let list = case.independent();
    list[0].1 = list[1].1.clone();
    match case.at(6).err() {
        Some(Error::Rejected(Rejection::Signature { member: 0, .. })) => {}
        other => panic!("{other:?}"),
    }
}

/// Terms hold no layout. A request that no circuit can be made for has them all the same, and they
/// refuse what is false.
#[test]
fn the_native_check_needs_no_layout() {
    let mut case = signed(Scheme::Schnorr, &[1, 5]);
    let wanted = Request { degree: Some(4), ..request(Scheme::Schnorr, 6, 2, Mode::WholeSet) };
    assert!(matches!(Shape::fit(&wanted), Err(Error::DegreeTooSmall { degree: 4, .. })));
    let terms = wanted.terms().expect("the choices are legal");
    assert_eq!(Ok(&terms), case.shape.terms().as_ref());
    let verdict =
        |case: &Case| terms.verify(&case.statement, &case.committee, &case.signatures).map(|_| ());
    assert_eq!(verdict(&case), Ok(()));
    case.statement.threshold += 1;
    let weight = Rejection::Weight { weight: 8, threshold: 9 };
    assert_eq!(verdict(&case), Err(weight.into()));
    let list = case.independent();
    list.push(list[0].clone());
    assert_eq!(verdict(&case), Err(Rejection::DuplicateSigner(1).into()));
}
