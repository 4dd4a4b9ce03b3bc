use halo2curves::bn256::{Fq, Fr};
use proptest::prelude::*;

use super::{Lanes, GREATEST, LANES};
use crate::{
    backend::Work,
    field::Field,
    tests::{backends, edge, element},
};

/// Operations at the greatest bounds that [`Lanes`] allows.
struct Extremes<F> {
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

fn check<F: Field>(left: [F; LANES], right: [F; LANES]) -> Result<(), TestCaseError> {
    for backend in backends() {
        for (what, result, expected) in backend.run(Extremes { left, right }) {
            prop_assert_eq!(result, expected, "{} on {:?}", what, backend);
        }
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
