//! Numbers of an encoding: what takes them apart, piece by piece.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    super::{lengths, numbers_of_hint, sizes_of_hint, NumbersHint},
    circuit::halves,
    precommit,
};
use crate::hash::text::Varint;
use muster_forgery::testing::{self, TestCircuit, Walk};
use muster_gates::{vertical, Forged, Layout};
use muster_schemes::signature::cometbft::wire;

const RANGE: [&str; 1] = ["range: limb is below 2^b"];
const COPY: [&str; 1] = ["copy"];

/// Bits of a lookup, several of which take more bits than any number here has.
const RANGE_BITS: usize = 9;

fn height_and_round() -> Fr {
    halves(&precommit((5 << 56) + 7, 0x0203_0405, 1, 1).encode()[..16])[0]
}

fn taken_apart(half: Fr, hint: &NumbersHint) -> TestCircuit {
    let layout = Layout { range_bits: RANGE_BITS, ..testing::layout(11, &[]) };
    TestCircuit::new(layout, |ctx| {
        let half = ctx.load_witness(half);
        numbers_of_hint(ctx, half, hint);
    })
}

/// What refuses a hint; and what does where a number in it that has so many bits, or what is left of it to the largest
/// one, is honest in the place where its range is checked.
fn refusing(change: impl Fn(&mut NumbersHint) -> (Fr, usize)) -> [Vec<String>; 2] {
    let half = height_and_round();
    let honest = NumbersHint::new(&half);
    let mut hint = honest;
    let (checked, bits) = change(&mut hint);
    let [mut test, honest] = [hint, honest].map(|hint| taken_apart(half, &hint));
    let (own, other) = (test.advice(), honest.advice());
    // The vertical gate has the last column.
    let is_checked = |cells: &Vec<Fr>| cells.iter().position(|cell| *cell == checked);
    let mut columns = own[..own.len() - 1].iter().enumerate();
    let found = columns.find_map(|(column, cells)| Some((column, is_checked(cells)?)));
    let (column, first) = found.expect("its range is checked");
    let rows = first..first + bits.div_ceil(RANGE_BITS);
    let forged = rows.map(|row| Forged { column, row, value: other[column][row] }).collect();
    [vec![], forged].map(|forged| test.failing(forged))
}

/// A byte with the sign and three bytes have both their bounds, by a lookup each: a lower number, and one that is
/// larger than the largest.
#[test]
fn numbers_are_bounded_twice() {
    assert!(taken_apart(height_and_round(), &NumbersHint::new(&height_and_round())).is_satisfied());
    let byte = Fr::from(1 << 8);
    let three = Fr::from(1 << 24);
    let refused = [RANGE, COPY].map(|names| names.map(str::to_owned).to_vec());
    // 2^32 less in the round is 1 more in the height.
    let below = refusing(|hint| {
        hint.round[0] -= three;
        hint.height[1] += Fr::ONE;
        (hint.round[0], 24)
    });
    assert_eq!(below, refused);
    let above = refusing(|hint| {
        hint.round[0] += three;
        hint.height[1] -= Fr::ONE;
        (three - Fr::ONE - hint.round[0], 24)
    });
    assert_eq!(above, refused);
    let sign = refusing(|hint| {
        hint.height[0] -= Fr::ONE;
        hint.height[1] += byte;
        (Fr::from(127) - hint.height[1], 7)
    });
    assert_eq!(sign, refused);
    // The first bytes as a fraction.
    let first = refusing(|hint| {
        hint.height[0] -= byte.invert().expect("a power of 2");
        hint.height[1] += Fr::ONE;
        (hint.height[0], 56)
    });
    assert_eq!(first, refused);
}

/// That a height and a number of parts are not 0: what says so is held against 1, which is a constant.
#[test]
fn what_is_not_zero_is_held_against_one() {
    let encoded = precommit(5, 3, 300, 9).encode();
    let [first, sixth] = [0, 5].map(|half| halves(&encoded)[half]);
    let round = Fr::from(3) * Fr::from(1 << 56);
    let nothing = sixth - Fr::from(300 << 8);
    for (first, sixth, total) in [(round, None, 0), (first, Some(nothing), 0)] {
        let mut last = 0;
        let mut test = TestCircuit::new(testing::layout(11, &[]), |ctx| {
            let half = ctx.load_witness(first);
            numbers_of_hint(ctx, half, &NumbersHint::new(&first));
            if let Some(sixth) = sixth {
                let half = ctx.load_witness(sixth);
                sizes_of_hint(ctx, half, (total, Fr::from(9)));
            }
            last = ctx.advice.len() - 1;
        });
        assert_eq!(test.failing(vec![]), COPY);
        let zero = test.in_row(last, Fr::ZERO);
        assert_eq!(test.failing(vec![zero]), COPY);
    }
}

/// The lengths of the messages around the number of parts, which nothing follows here.
#[test]
fn lengths_are_determined() {
    let test = TestCircuit::new(testing::layout(11, &[]), |ctx| {
        let given = ctx.load_witness(Fr::from(300));
        let total = Varint::new(ctx, 300, u32::MAX.into());
        let value = total.value(ctx);
        vertical::assert_equal(ctx, &value, &given);
        let total = total.behind(ctx, &[wire::TOTAL]);
        let bounds = lengths(ctx, &total).map(|length| length.bounds());
        assert_eq!(bounds, [(1, 1); 2]);
    });
    let Walk { sums, copies } = test.walk_from_everywhere([0]);
    assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
    assert_eq!(test.open_values_given([0]), (vec![], 0));
    assert_eq!(test.open_classes_given([0]), (vec![], 0));
}
