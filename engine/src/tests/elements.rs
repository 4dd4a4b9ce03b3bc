use halo2curves::{
    bn256::{Fq, Fr},
    ff::Field as _,
};
use proptest::{collection::vec, prelude::*};

use super::{backends, edge, element};
use crate::{
    elements::{Invert, Operation, Scale, Square, Zip},
    Backend, Field,
};

/// Every operation on every back end against the library, for any number of elements: full octets, and
/// what is left.
fn agree<F: Field>(left: &[F], right: &[F]) -> Result<(), TestCaseError> {
    let expected = |operation: fn(F, F) -> F| -> Vec<F> {
        left.iter().zip(right).map(|(left, right)| operation(*left, *right)).collect()
    };
    for backend in backends() {
        let result = |operation: &dyn Fn(&mut [F])| {
            let mut elements = left.to_vec();
            operation(&mut elements);
            elements
        };
        let zip = |left: &mut [F], operation| backend.run(Zip { left, right, operation });
        let sums = result(&|elements| zip(elements, Operation::Add));
        prop_assert_eq!(sums, expected(|left, right| left + right));
        let differences = result(&|elements| zip(elements, Operation::Sub));
        prop_assert_eq!(differences, expected(|left, right| left - right));
        let products = result(&|elements| zip(elements, Operation::Mul));
        prop_assert_eq!(products, expected(|left, right| left * right));
        let squares = result(&|elements| backend.run(Square(elements)));
        prop_assert_eq!(squares, expected(|left, _| left.square()));
        if let Some(factor) = right.first() {
            let scaled = result(&|elements| backend.run(Scale(elements, *factor)));
            let expected: Vec<F> = left.iter().map(|element| *element * factor).collect();
            prop_assert_eq!(scaled, expected);
        }
        let inverses = result(&|elements| backend.run(Invert(elements)));
        prop_assert_eq!(inverses, expected(|left, _| left.invert().unwrap_or(F::ZERO)));
    }
    Ok(())
}

fn pairs<F: Field>(most: usize) -> impl Strategy<Value = (Vec<F>, Vec<F>)> {
    let side = |count| prop_oneof![vec(edge(), count), vec(element(), count)];
    (0..=most).prop_flat_map(move |count| (side(count), side(count)))
}

proptest! {
    #[test]
    fn scalars_are_those_of_the_library((left, right) in pairs::<Fr>(70)) {
        agree(&left, &right)?;
    }

    #[test]
    fn coordinates_are_those_of_the_library((left, right) in pairs::<Fq>(70)) {
        agree(&left, &right)?;
    }
}

/// Every edge with every other, in every lane.
#[test]
fn edges_in_all_lanes() {
    fn check<F: Field>() {
        let two = F::from(2);
        let edges =
            [F::ZERO, F::ONE, -F::ONE, two, two.invert().expect("two is a unit"), F::from(16)];
        for lane in 0..17 {
            for left in edges {
                for right in edges {
                    let mut lefts = [F::from(7); 17];
                    let mut rights = [F::from(9); 17];
                    (lefts[lane], rights[lane]) = (left, right);
                    agree(&lefts, &rights).expect("they agree");
                }
            }
        }
    }
    check::<Fr>();
    check::<Fq>();
}

/// More than a thread takes at once, with zeros that begin and end chunks.
#[test]
fn many_elements() {
    for count in [(1 << 13) - 1, 1 << 13, (1 << 13) + 33] {
        let mut elements: Vec<Fr> = (0..count).map(|i| Fr::from(i).square()).collect();
        for i in [4095, 4096, count as usize - 1] {
            elements[i] = Fr::ZERO;
        }
        let others: Vec<Fr> = elements.iter().rev().map(|element| *element - Fr::ONE).collect();
        agree(&elements, &others).expect("they agree");
        in_chunks(&elements, &others);
    }
}

/// Whole slices are what their chunks are.
fn in_chunks(left: &[Fr], right: &[Fr]) {
    let expected = |operation: fn(Fr, Fr) -> Fr| -> Vec<Fr> {
        left.iter().zip(right).map(|(left, right)| operation(*left, *right)).collect()
    };
    for backend in backends() {
        let result = |operation: &dyn Fn(&mut [Fr])| {
            let mut elements = left.to_vec();
            operation(&mut elements);
            elements
        };
        let sums = expected(|left, right| left + right);
        assert_eq!(result(&|elements| backend.add(elements, right)), sums);
        let differences = expected(|left, right| left - right);
        assert_eq!(result(&|elements| backend.sub(elements, right)), differences);
        let products = expected(|left, right| left * right);
        assert_eq!(result(&|elements| backend.mul(elements, right)), products);
        assert_eq!(result(&|elements| backend.square(elements)), expected(|left, _| left.square()));
        let scaled: Vec<Fr> = left.iter().map(|element| element * right[0]).collect();
        assert_eq!(result(&|elements| backend.scale(elements, right[0])), scaled);
        let inverses = expected(|left, _| left.invert().unwrap_or(Fr::ZERO));
        assert_eq!(result(&|elements| backend.invert(elements)), inverses);
    }
}

#[test]
#[should_panic(expected = "elements come in pairs")]
fn lengths_are_equal() {
    Backend::best().mul(&mut [Fr::ONE; 9], &[Fr::ONE; 8]);
}

#[test]
fn bounds_hold() {
    let (mut left, right) = ([Fr::ONE; 100], [Fr::ONE; 100]);
    let backend = Backend::counted();
    backend.add(&mut left, &right);
    backend.sub(&mut left, &right);
    backend.mul(&mut left, &right);
    backend.square(&mut left);
    backend.scale(&mut left, right[0]);
    backend.invert(&mut left);
}
