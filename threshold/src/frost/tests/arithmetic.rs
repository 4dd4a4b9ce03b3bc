//! Sums of multiples and Lagrange coefficients against the slow ways.

use std::collections::BTreeSet;

use frost_core::{compute_lagrange_coefficient, Element, Field, Group as _, Scalar};
use rand::{seq::SliceRandom, Rng};

use super::*;
use crate::frost::{cheaters::Multiples, lagrange, msm, small};

type F<C> = <<C as frost_core::Ciphersuite>::Group as frost_core::Group>::Field;

#[derive(Clone, Copy)]
struct Sums;

impl SuiteVisitor for Sums {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(1);
        // 400 is beyond where buckets begin.
        for count in [0, 1, 2, 5, 400] {
            let mut scalars: Vec<Scalar<C>> =
                (0..count).map(|_| F::<C>::random(&mut rng)).collect();
            let mut points: Vec<Element<C>> =
                (0..count).map(|_| C::Group::generator() * F::<C>::random(&mut rng)).collect();
            if count > 4 {
                scalars[0] = F::<C>::zero();
                scalars[1] = F::<C>::one();
                scalars[2] = F::<C>::zero() - F::<C>::one();
                scalars[3] = C::scalar(u128::MAX);
                points[4] = points[1];
            }
            let pairs = scalars.iter().zip(&points);
            let expected =
                pairs.fold(C::Group::identity(), |sum, (scalar, point)| sum + *point * *scalar);
            assert!(C::msm(&scalars, &points) == expected, "{} of {}", count, C::NAME);
            assert!(msm::generic::<C>(&scalars, &points) == expected, "{} of {}", count, C::NAME);
        }
        // Sums in buckets whose points are equal, opposite or the identity, and a sum that is it.
        let generator = C::Group::generator();
        let (one, nine) = (F::<C>::one(), C::scalar(9 << 64));
        let mut scalars = vec![one; 40];
        scalars.extend([nine; 40]);
        let mut points = vec![generator; 60];
        points.extend([C::Group::identity(); 5]);
        points.extend([C::Group::identity() - generator; 15]);
        let expected = generator * (C::scalar(40) + nine * C::scalar(5));
        assert!(C::msm(&scalars, &points) == expected, "{}", C::NAME);
        let ends = |last: Element<C>| [vec![generator; 50], vec![last; 50]].concat();
        for (scalar, last) in [(one, C::Group::identity() - generator), (nine, generator)] {
            let scalars = [vec![scalar; 50], vec![F::<C>::zero() - scalar; 50]].concat();
            let opposite = if scalar == one { vec![one; 100] } else { scalars };
            assert!(C::msm(&opposite, &ends(last)) == C::Group::identity(), "{}", C::NAME);
        }
        let multiples = Multiples::<C>::new(points[0]);
        for scalar in [0, 1, 31, 32, 9 << 120, u128::MAX, rng.r#gen()] {
            assert!(multiples.times(scalar) == points[0] * C::scalar(scalar), "{}", C::NAME);
        }
        // Short scalars alone: fewer windows.
        let point = C::Group::generator();
        let sum = msm::generic::<C>(&[C::scalar(3), C::scalar(0)], &[point, point]);
        assert!(sum == point + point + point, "{}", C::NAME);
    }
}

#[test]
fn sums_equal_those_of_single_multiples() {
    in_every_suite(Sums);
}

#[derive(Clone, Copy)]
struct Coefficients;

impl SuiteVisitor for Coefficients {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(2);
        let mut all: Vec<u16> = (1..=u16::MAX).collect();
        all.shuffle(&mut rng);
        let mut sets: Vec<Vec<Identifier<C>>> = [1, 2, 3, 20]
            .map(|count| all[..count].iter().map(|i| identifier(*i).unwrap()).collect())
            .to_vec();
        sets.push((1..=7).map(|i| identifier(i).unwrap()).collect());
        // Identifiers that are no small numbers.
        let mut names: Vec<_> =
            (0..6).map(|i| Identifier::<C>::derive(&[i, rng.r#gen()]).unwrap()).collect();
        names.push(identifier(5).unwrap());
        sets.push(names);
        for set in sets {
            let whole: BTreeSet<_> = set.iter().copied().collect();
            for (id, found) in set.iter().zip(lagrange::at_zero(&set)) {
                let expected = compute_lagrange_coefficient(&whole, None, *id).unwrap();
                assert!(found == expected, "{} of {:?}", C::NAME, set);
            }
        }
    }
}

#[test]
fn coefficients_equal_those_of_frost_core() {
    in_every_suite(Coefficients);
}

#[derive(Clone, Copy)]
struct Encodings;

impl SuiteVisitor for Encodings {
    type Output = ();

    fn visit<C: Suite>(self) {
        let mut rng = rng(3);
        let points: Vec<_> =
            (0..5).map(|_| C::Group::generator() * F::<C>::random(&mut rng)).collect();
        for (point, bytes) in points.iter().zip(C::encode(&points).unwrap()) {
            assert_eq!(bytes, C::Group::serialize(point).unwrap().as_ref());
        }
        assert!(C::encode(&[points[0], C::Group::identity()]).is_err());
        let number = |value: u128| {
            let bits = (0..128).rev().map(|i| (value >> i) & 1 == 1);
            let (zero, one) = (F::<C>::zero(), F::<C>::one());
            bits.fold(zero, |sum, bit| sum + sum + if bit { one } else { zero })
        };
        for value in [0, 1, u128::MAX, u128::MAX / 3] {
            assert!(C::scalar(value) == number(value), "{}", C::NAME);
        }
        let integer = number((u64::MAX / 3).into());
        assert_eq!(small::<C>(&integer), Some(u64::MAX / 3));
        assert_eq!(small::<C>(&(integer * integer)), None);
    }
}

#[test]
fn encodings_equal_those_of_the_crates() {
    in_every_suite(Encodings);
}

#[test]
fn names_are_read_back() {
    for suite in SuiteName::ALL {
        assert_eq!(suite.as_str().parse(), Ok(suite));
        assert_eq!(serde_json::to_value(suite).unwrap(), suite.as_str());
    }
    assert!("ed25518".parse::<SuiteName>().unwrap_err().contains("ristretto255"));
}
