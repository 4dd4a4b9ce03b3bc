//! Shapes: what is part of them, what is refused, and the budgets.

use muster_schemes::{
    membership::TreeError,
    signature::{MessageForm, MAX_MESSAGE_BYTES},
};

use super::*;
use crate::{bounds::reserved_rows, Columns, Error, MAX_SLOTS};

fn at(scheme: Scheme, capacity: usize, slots: usize, degree: u32) -> Result<Shape, Error> {
    Shape::fit(&Request { degree: Some(degree), ..Request::new(scheme, capacity, slots) })
}

#[test]
fn threshold_set_and_message_are_no_part_of_the_shape() {
    for scheme in EMBEDDED {
        let wanted = request(scheme, 6, 4, Mode::WholeSet);
        let shape = Shape::fit(&wanted).expect("the shape is legal");
        for (signers, seed) in [(&[0][..], 1), (&[1, 2], 2), (&[0, 3, 4, 5], 3)] {
            assert_eq!(case(&wanted, signers, seed).shape, shape);
        }
        // A shape is its own JSON: nothing else is needed to rebuild the circuit.
        let json = serde_json::to_string(&shape).expect("a shape is plain data");
        assert_eq!(serde_json::from_str::<Shape>(&json).expect("as written"), shape);
        for word in ["threshold", "message", "root"] {
            assert!(!json.contains(word), "{json}");
        }
    }
}

#[test]
fn requests_that_no_shape_answers() {
    let scheme = Scheme::Schnorr;
    for (capacity, slots) in [(0, 2), (4, 0), (0, 0), (4, MAX_SLOTS + 1), (4, usize::MAX)] {
        let verdict = Shape::fit(&Request::new(scheme, capacity, slots));
        assert_eq!(verdict, Err(Error::Slots), "{capacity}, {slots}");
    }
    for depth in [33, 64, usize::MAX] {
        let wanted = Request { depth: Some(depth), ..Request::new(scheme, 4, 2) };
        assert_eq!(Shape::fit(&wanted), Err(Error::Tree(TreeError::Depth(depth))));
    }
    for arity in [0, 1, 3, 6, 17] {
        let wanted = Request { arity, ..Request::new(scheme, 4, 2) };
        assert_eq!(Shape::fit(&wanted), Err(Error::Tree(TreeError::Arity(arity))));
    }
}

#[test]
fn a_degree_that_is_too_small_names_the_smallest_that_fits() {
    for (scheme, capacity, slots) in
        [(Scheme::Schnorr, 64, 32), (Scheme::Eddsa, 64, 32), (Scheme::Musig, 64, 32)]
    {
        let Err(Error::DegreeTooSmall { degree: 10, smallest }) = at(scheme, capacity, slots, 10)
        else {
            panic!("{scheme}: {slots} signatures do not fit 2^10 rows");
        };
        assert!(smallest > 10);
        assert_eq!(at(scheme, capacity, slots, smallest).map(|shape| shape.degree()), Ok(smallest));
        let below = Err(Error::DegreeTooSmall { degree: smallest - 1, smallest });
        assert_eq!(at(scheme, capacity, slots, smallest - 1), below);
    }
    // Degrees below every circuit.
    for degree in [0, 5, 9] {
        let smallest = Error::DegreeTooSmall { degree, smallest: 10 };
        assert_eq!(at(Scheme::Schnorr, 4, 2, degree), Err(smallest));
    }
}

#[test]
fn slots_are_rounded_up_so_that_the_batch_comes_out_even() {
    for (slots, expected) in [(1, 2), (2, 2), (3, 4), (8, 8)] {
        let shape = Shape::fit(&request(Scheme::Schnorr, 8, slots, Mode::Path));
        assert_eq!(shape.expect("it fits").slots.next_multiple_of(2), expected);
        // The coefficients of an aggregate key come in pairs too.
        let shape = Shape::fit(&request(Scheme::Musig, 8, slots, Mode::Path));
        assert_eq!(shape.expect("it fits").slots, expected);
    }
}

#[test]
fn more_members_or_signers_than_there_is_room_for() {
    let case = case(&request(Scheme::Schnorr, 6, 4, Mode::WholeSet), &[0, 1, 2, 3], 1);
    let narrow = Shape::fit(&request(Scheme::Schnorr, 6, 2, Mode::WholeSet)).expect("it fits");
    let verdict = |shape: &Shape| verify(shape, &case.statement, &case.committee, &case.signatures);
    let threshold = case.statement.threshold;
    let too_few = Error::TooFewSlots { signers: 4, slots: 2, weight: 7, threshold };
    assert_eq!(verdict(&narrow), Err(too_few));
    let low = Shape::fit(&request(Scheme::Schnorr, 5, 4, Mode::WholeSet)).expect("it fits");
    assert_eq!(verdict(&low), Err(Error::TooManyMembers { members: 6, capacity: 5 }));
    // Signatures of the other kind.
    let musig = Shape::fit(&request(Scheme::Musig, 6, 4, Mode::WholeSet)).expect("it fits");
    assert_eq!(verdict(&musig), Err(Error::WrongKind(Scheme::Musig)));
    // What was verified for one shape is not proven under another.
    let witness = case.witness().expect("the signatures are good");
    let other = low.circuit(&witness, false).map(|_| ());
    assert_eq!(other, Err(Error::OtherTerms));
}

/// Exact budgets of the issue that this circuit was built for.
#[test]
fn budgets() {
    let advice = |shape: &Shape| Columns::of(&shape.layout).advice;
    for scheme in [Scheme::Schnorr, Scheme::Eddsa] {
        let small = at(scheme, 16, 8, 11).expect("8 of 16 fit 2^11 rows");
        assert!(advice(&small) <= 12, "{}", advice(&small));
        let large = at(scheme, 256, 128, 14).expect("128 of 256 fit 2^14 rows");
        assert!(advice(&large) <= 14, "{}", advice(&large));
    }
    let small = at(Scheme::Musig, 16, 8, 11).expect("8 of 16 fit 2^11 rows");
    assert!(advice(&small) <= 12, "{}", advice(&small));
    at(Scheme::Musig, 256, 128, 14).expect("128 of 256 fit 2^14 rows");
}

#[test]
fn columns_are_counted_as_the_layout_has_them() {
    for scheme in EMBEDDED {
        for mode in [Mode::WholeSet, Mode::Path] {
            let shape = Shape::fit(&request(scheme, 6, 4, mode)).expect("it fits");
            let columns = Columns::of(&shape.layout);
            assert_eq!(columns.advice, shape.layout.advice_columns());
            assert!(columns.lookups > shape.layout.range_columns);
        }
    }
}

/// The planner counts on no more rows than there are.
#[test]
fn unusable_rows_are_reserved() {
    for arity in [2, 4, 5, 8, 16] {
        for (capacity, slots, degree) in [(4, 2, 12), (128, 64, 14)] {
            let wanted = Request::new(Scheme::Schnorr, capacity, slots);
            let wanted = Request { arity, degree: Some(degree), ..wanted };
            let shape = Shape::fit(&wanted).expect("the shape is legal");
            let unusable = (1 << shape.degree()) - shape.layout.usable_rows();
            assert!(
                unusable
                    <= reserved_rows(
                        arity,
                        &muster_gadgets::signature::instructions::Needs::default()
                    ),
                "arity {arity}: {unusable}"
            );
        }
    }
}

/// The longest messages that there may be have a circuit, which hashes every block of them.
#[test]
fn the_longest_messages_fit() {
    let most = MAX_MESSAGE_BYTES;
    for scheme in [Scheme::Ed25519, Scheme::BlsBls12381MinSig] {
        let message = Some(MessageForm::Sha256 { most });
        let shape = Shape::fit(&Request { message, ..Request::new(scheme, 4, 2) });
        let shape = shape.expect("the shape is legal");
        assert_eq!(shape.message, MessageForm::Sha256 { most });
        // A round takes a row at least, and a block of 64 bytes has 64 rounds.
        assert!(shape.usage().sha256_rows >= most, "{scheme}");
    }
}

/// Paths and the hashes of many slots have constants a slot; each has a row.
#[test]
fn constants_have_rows() {
    for (mode, capacity, slots, arity) in [
        (Mode::Path, 1000, 24, 5),
        (Mode::Path, 1000, 20, 16),
        (Mode::Path, 100_000, 40, 5),
        (Mode::WholeSet, 130, 120, 5),
        (Mode::WholeSet, 130, 120, 8),
    ] {
        for scheme in EMBEDDED {
            let degree = Some(14);
            let wanted = Request { arity, degree, ..request(scheme, capacity, slots, mode) };
            let shape = Shape::fit(&wanted).expect("the shape is legal");
            assert_eq!(shape.layout.constant_rows, shape.usage().constants);
            // Writes all rows, and panics if something does not fit.
            let circuit = shape.keygen_circuit();
            let written = MockProver::run(shape.degree(), &circuit, vec![vec![Fr::zero(); 3]]);
            assert!(written.is_ok(), "{scheme}: {slots} of {capacity}, {mode:?}, arity {arity}");
        }
    }
}
