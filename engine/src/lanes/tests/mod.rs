mod counted;

use halo2curves::{
    bn256::{Fq, Fr},
    ff::Field as _,
};
use proptest::prelude::*;

pub(crate) use counted::Counted;

use super::{Lanes, Points, GREATEST, LANES};
use crate::{
    backend::{PointWork, Work},
    field::Field,
    tests::{backends, edge, element},
};

/// Operations at the greatest bounds that [`Lanes`] allows.
struct Extremes<F> {
    left: [F; LANES],
    right: [F; LANES],
}

/// The same of multipliers.
struct ExtremeMultipliers<F> {
    left: [F; LANES],
    right: [F; LANES],
}

/// Each result of the lanes, and what the library says.
type Results<F> = Vec<(&'static str, [F; LANES], [F; LANES])>;

impl<F: Field> Work<F> for Extremes<F> {
    type Output = Results<F>;

    fn run<L: Lanes<F>>(self, lanes: L) -> Results<F> {
        let Self { left, right } = self;
        let each = |result: &dyn Fn(F, F) -> F| -> [F; LANES] {
            std::array::from_fn(|lane| result(left[lane], right[lane]))
        };
        let times =
            |octet: L::Octet, times: u32| (1..times).fold(octet, |sum, _| lanes.add(sum, octet));
        let stored = |octet: L::Octet| {
            let mut elements = [F::ZERO; LANES];
            lanes.store(octet, &mut elements);
            elements
        };
        let small = |octet: L::Octet| {
            let mut elements = [F::ZERO; LANES];
            lanes.store_small(octet, &mut elements);
            elements
        };
        let (a, b) = (lanes.load(&left), lanes.load(&right));
        let most = F::from(u64::from(GREATEST));
        let five = F::from(5);
        lanes.vectorize(|| {
            let factor = lanes.multiplier(&right);
            let loaded = lanes.load_multiplier(&right);
            // Limbs that are negative, or wider than 52 bits: sums of differences.
            let difference = lanes.sub::<1>(a, b);
            let ragged = times(difference, GREATEST / 2);
            let half = F::from(u64::from(GREATEST / 2));
            vec![
                ("load", stored(a), left),
                ("a + b", small(lanes.add(a, b)), each(&|a, b| a + b)),
                ("a − b", small(difference), each(&|a, b| a - b)),
                ("a · b", small(lanes.mul(a, loaded)), each(&|a, b| a * b)),
                (
                    "84 a · b",
                    small(lanes.mul(times(a, GREATEST), factor)),
                    each(&|a, b| a * b * most),
                ),
                ("84 a", stored(times(a, GREATEST)), each(&|a, _| a * most)),
                ("a − b", stored(difference), each(&|a, b| a - b)),
                (
                    "b − 83 a",
                    stored(lanes.sub::<83>(b, times(a, 83))),
                    each(&|a, b| b - a * F::from(83)),
                ),
                ("42 (a − b)", stored(ragged), each(&|a, b| (a - b) * half)),
                (
                    "84 a · b",
                    stored(lanes.mul(times(a, GREATEST), factor)),
                    each(&|a, b| a * b * most),
                ),
                ("5 a · 16 b", stored(lanes.mul(times(a, 5), loaded)), each(&|a, b| a * b * five)),
                (
                    "42 (a − b) · b",
                    stored(lanes.mul(ragged, factor)),
                    each(&|a, b| (a - b) * b * half),
                ),
                (
                    "a · b²",
                    stored(lanes.mul(a, lanes.chain(factor, loaded))),
                    each(&|a, b| a * b.square()),
                ),
                (
                    "a · b₀",
                    stored(lanes.mul(a, lanes.splat(lanes.factor(&right[0])))),
                    left.map(|a| a * right[0]),
                ),
            ]
        })
    }
}

impl<F: Field> Work<F> for ExtremeMultipliers<F> {
    type Output = Results<F>;

    fn run<L: Lanes<F>>(self, lanes: L) -> Results<F> {
        let Self { left, right } = self;
        let each = |result: &dyn Fn(F, F) -> F| -> [F; LANES] {
            std::array::from_fn(|lane| result(left[lane], right[lane]))
        };
        let times = |multiplier: L::Multiplier, times: u32| {
            (1..times).fold(multiplier, |sum, _| lanes.sum(sum, multiplier))
        };
        let stored = |multiplier: L::Multiplier| {
            let mut elements = [F::ZERO; LANES];
            let ones = lanes.load(&[F::ONE; LANES]);
            lanes.store_small(lanes.mul(ones, multiplier), &mut elements);
            elements
        };
        let products = |count: u32, left: L::Multiplier, right: L::Multiplier| {
            let sum = (0..count).fold(lanes.wide(), |sum, _| lanes.accumulate(sum, left, right));
            lanes.narrow(sum)
        };
        let (a, b) = (lanes.multiplier(&left), lanes.multiplier(&right));
        let raised = [left, right].map(|elements| lanes.load_multiplier(&elements));
        let number = |number: u32| F::from(u64::from(number));
        lanes.vectorize(|| {
            vec![
                ("42 a + 42 a", stored(lanes.sum(times(a, 42), times(a, 42))), {
                    each(&|a, _| a * number(84))
                }),
                ("b − 83 a", stored(lanes.difference(b, times(a, 83), 83)), {
                    each(&|a, b| b - a * number(83))
                }),
                ("84 a · 83 b", stored(products(1, times(a, GREATEST), times(b, 83))), {
                    each(&|a, b| a * b * number(GREATEST * 83))
                }),
                ("8 (84 a · 10 b)", stored(products(8, times(a, GREATEST), times(b, 10))), {
                    each(&|a, b| a * b * number(8 * 10 * GREATEST))
                }),
                ("8 (16 a · 16 b)", stored(products(8, raised[0], raised[1])), {
                    each(&|a, b| a * b * number(8))
                }),
            ]
        })
    }
}

/// Differences of differences, whose limbs grow faster than their bound: bound 9, then 81.
struct Nested<F>([F; LANES]);

impl<F: Field> Work<F> for Nested<F> {
    type Output = [F; LANES];

    fn run<L: Lanes<F>>(self, lanes: L) -> [F; LANES] {
        let mut elements = [F::ZERO; LANES];
        lanes.vectorize(|| {
            let a = lanes.load(&self.0);
            let nested = lanes.sub::<2>(a, lanes.sub::<1>(a, a));
            let nested = lanes.sub::<4>(a, lanes.sub::<3>(a, nested));
            let nested = lanes.sub::<6>(a, lanes.sub::<5>(a, nested));
            let nested = lanes.sub::<8>(a, lanes.sub::<7>(a, nested));
            let sum = (1..9).fold(nested, |sum, _| lanes.add(sum, nested));
            lanes.store(sum, &mut elements);
        });
        elements
    }
}

/// A coordinate of the greatest bound that can be raised, to multiply by.
struct Raised {
    left: [Fq; LANES],
    right: [Fq; LANES],
}

impl PointWork for Raised {
    type Output = [Fq; LANES];

    fn run<L: Points>(self, lanes: L) -> [Fq; LANES] {
        let mut elements = [Fq::ZERO; LANES];
        lanes.vectorize(|| {
            let a = lanes.load(&self.left);
            let five = (1..5).fold(a, |sum, _| lanes.add(sum, a));
            let product = lanes.mul(lanes.load(&self.right), lanes.to_multiplier(five));
            lanes.store(product, &mut elements);
        });
        elements
    }
}

fn check<F: Field>(left: [F; LANES], right: [F; LANES]) -> Result<(), TestCaseError> {
    for backend in backends() {
        let mut results = backend.run(Extremes { left, right });
        results.extend(backend.run(ExtremeMultipliers { left, right }));
        // An even number of differences: a itself.
        let nested = left.map(|a| a * F::from(9));
        results.push(("9 (a − (a − …))", backend.run(Nested(left)), nested));
        for (what, result, expected) in results {
            prop_assert_eq!(result, expected, "{} on {:?}", what, backend);
        }
    }
    Ok(())
}

fn check_points(left: [Fq; LANES], right: [Fq; LANES]) -> Result<(), TestCaseError> {
    let expected: [Fq; LANES] = std::array::from_fn(|lane| left[lane] * right[lane] * Fq::from(5));
    for backend in backends() {
        prop_assert_eq!(backend.run_points(Raised { left, right }), expected, "{:?}", backend);
    }
    Ok(())
}

fn eight<F: Field>() -> impl Strategy<Value = [F; LANES]> {
    prop_oneof![prop::array::uniform8(edge()), prop::array::uniform8(element())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn scalars_at_the_greatest_bounds(left in eight::<Fr>(), right in eight()) {
        check(left, right)?;
    }

    #[test]
    fn coordinates_at_the_greatest_bounds(left in eight::<Fq>(), right in eight()) {
        check(left, right)?;
        check_points(left, right)?;
    }
}

/// The greatest integer with the greatest, in each lane alone and in all.
#[test]
fn the_greatest_integers() {
    fn check_field<F: Field>() {
        // p − 1 in memory.
        let mut words = F::WORDS;
        words[0] -= 1;
        let greatest = crate::tests::of_words::<F>(words);
        check([greatest; LANES], [greatest; LANES]).expect("they agree");
        for lane in 0..LANES {
            let (mut left, mut right) = ([F::ZERO; LANES], [F::ZERO; LANES]);
            (left[lane], right[lane]) = (greatest, greatest);
            check(left, [greatest; LANES]).expect("they agree");
            check(left, right).expect("they agree");
        }
    }
    check_field::<Fr>();
    check_field::<Fq>();
    let greatest = -Fq::from(16).invert().expect("16 is not 0");
    for extreme in [-Fq::ONE, greatest] {
        check_points([extreme; LANES], [extreme; LANES]).expect("they agree");
    }
}

struct Transpose([[Fr; LANES]; LANES]);

impl Work<Fr> for Transpose {
    type Output = [[Fr; LANES]; LANES];

    fn run<L: Lanes<Fr>>(self, lanes: L) -> Self::Output {
        let mut stored = self.0;
        let octets = lanes.transpose(self.0.map(|octet| lanes.load(&octet)));
        octets.into_iter().zip(&mut stored).for_each(|(octet, stored)| lanes.store(octet, stored));
        stored
    }
}

#[test]
fn a_block_is_turned() {
    let at = |row: usize, column: usize| Fr::from((row * LANES + column) as u64).square();
    let rows = std::array::from_fn(|row| std::array::from_fn(|column| at(row, column)));
    let columns = std::array::from_fn(|column| std::array::from_fn(|row| at(row, column)));
    for backend in backends() {
        assert_eq!(backend.run(Transpose(rows)), columns);
    }
}
