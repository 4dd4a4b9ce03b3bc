//! Elements that no block makes, and constants.

use halo2_base::AssignedValue;

use super::*;
use crate::GateContext;

/// The base field of BN254 (EIP-197), whose top limbs leave bits of a lookup to spare.
fn prime() -> BigUint {
    hex("30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47")
}

fn equations() -> Vec<Equation> {
    let product = Equation::multiply(&prime());
    vec![Equation::free(), product.clone(), product.near([Source::Operand(0)])]
}

fn circuit(build: impl FnOnce(&mut GateContext)) -> TestCircuit {
    let foreign = ForeignLayout::new(&native(), 8, 4, &equations());
    let layout = Layout { foreign: vec![foreign], edwards_lanes: 0, ..layout(10, &[]) };
    TestCircuit::new(layout, |ctx| {
        (0..HISTORY).for_each(|_| drop(any(ctx.chips.foreign(), &BigUint::ZERO)));
        build(ctx);
    })
}

/// The only cell that holds a number.
fn cell(test: &TestCircuit, number: &Fr) -> (usize, usize) {
    let cells = test.advice().into_iter().enumerate().flat_map(|(column, cells)| {
        cells.into_iter().enumerate().map(move |(row, cell)| ((column, row), cell))
    });
    let mut found = cells.filter(|(_, cell)| cell == number);
    let (place, _) = found.next().expect("it is there");
    assert!(found.next().is_none(), "it is there once");
    place
}

#[test]
fn products_of_what_no_block_made() {
    let longest: BigUint = (BigUint::one() << 254) - 1u8;
    let constant = prime() - 2u8;
    let product: BigUint = longest.clone() * &constant % prime();
    let test = circuit(|ctx| {
        let a = ctx.chips.foreign().witness(ctx, &longest);
        let operands = [Operand::Element(&a), Operand::Constant(&constant)];
        let near = &equations()[2];
        ctx.chips.foreign().relate(near, &operands, &product);
        let b = any(ctx.chips.foreign(), &number(3));
        let operands = [Operand::Element(&b), Operand::Constant(&constant)];
        ctx.chips.foreign().relate(near, &operands, &(prime() - 6u8));
    });
    test.assert_satisfied();
    test.assert_relations_are_bound("gates/src/foreign/tests/outside");
}

#[test]
#[should_panic(expected = "an element has the limbs of the gate")]
fn other_operands_are_elements() {
    circuit(|ctx| {
        let a = ctx.chips.foreign().witness(ctx, &number(3));
        let operands = [Operand::Element(&a), Operand::Element(&a)];
        ctx.chips.foreign().relate(&equations()[1], &operands, &number(9));
    });
}

/// Nor is what the block below reads of one.
#[test]
#[should_panic(expected = "the operand above is an element of the gate")]
fn operands_above_are_elements() {
    let above = Equation::result(&prime(), Source::Above(0) * Source::Operand(0));
    let all = [equations(), vec![above.clone()]].concat();
    let foreign = ForeignLayout::new(&native(), 8, 4, &all);
    let layout = Layout { foreign: vec![foreign], edwards_lanes: 0, ..layout(10, &[]) };
    TestCircuit::new(layout, |ctx| {
        let chip = ctx.chips.foreign();
        let a = chip.witness(ctx, &number(3));
        let (b, one) = (any(chip, &number(3)), number(1));
        let product = [Operand::Element(&a), Operand::Constant(&one)];
        let product = chip.relate(&equations()[2], &product, &number(3));
        chip.below(&[&product]).relate(&above, &[Operand::Element(&b)], &number(9));
    });
}

/// An equation reads one of the block above if it says so.
#[test]
fn operands_above_that_no_block_made() {
    let [above, given] = [Source::Above(0), Source::Operand(0)];
    let square = Equation::result(&prime(), above * given).near([above, given]);
    let all = [equations(), vec![square.clone()]].concat();
    let foreign = ForeignLayout::new(&native(), 8, 4, &all);
    let layout = Layout { foreign: vec![foreign], edwards_lanes: 0, ..layout(10, &[]) };
    let build = |result: u64| {
        TestCircuit::new(layout.clone(), |ctx| {
            let chip = ctx.chips.foreign();
            (0..HISTORY).for_each(|_| drop(any(chip, &BigUint::ZERO)));
            let [a, b] = [3, 5].map(|value| chip.witness(ctx, &number(value)));
            let one = number(1);
            let product = [Operand::Element(&a), Operand::Constant(&one)];
            let product = chip.relate(&equations()[2], &product, &number(3));
            let operands = [Operand::Element(&b)];
            chip.below(&[&product]).relate(&square, &operands, &number(result));
        })
    };
    let test = build(15);
    test.assert_satisfied();
    test.assert_relations_are_bound("gates/src/foreign/tests/outside");
    assert_eq!(build(16).false_relations(), Some(1));
}

#[test]
#[should_panic(expected = "only operands are witnessed outside a block")]
fn results_are_no_witnesses() {
    let _ = Equation::multiply(&prime()).near([Source::Back(1)]);
}

#[test]
#[should_panic(expected = "a constant fits an element")]
fn constants_are_no_longer_than_elements() {
    circuit(|ctx| {
        let constant = BigUint::one() << 254;
        let operands = [Operand::Constant(&constant), Operand::Constant(&constant)];
        ctx.chips.foreign().relate(&equations()[1], &operands, &number(0));
    });
}

/// Every limb with a digit too much in its running sum.
#[test]
fn limbs_outside_a_block_are_in_range() {
    let value = hex("2123456789abcdef0fedcba9876543210f1e2d3c4b5a69788796a5b4c3d2e1f0");
    let mut limbs = vec![];
    let mut test = circuit(|ctx| {
        let element = ctx.chips.foreign().witness(ctx, &value);
        limbs = element
            .limbs()
            .iter()
            .zip(element.shape().widths())
            .map(|(cell, width)| (*cell.value(), width))
            .collect();
    });
    test.assert_satisfied();
    // A bit more than an element: the limb that is near its bound.
    assert_eq!(limbs.iter().map(|(_, width)| width).sum::<usize>(), 255);
    for (limb, width) in limbs {
        let (column, row) = cell(&test, &limb);
        let forged = vec![Forged { column, row, value: limb + power(width) }];
        assert!(test.fails_range_checks_alone(forged));
    }
}

/// Of a challenge the lowest limbs, and numbers in their place.
#[test]
fn the_lowest_limbs() {
    let value = hex("0123456789abcdef0fedcba9876543210f1e2d3c4b5a69788796a5b4c3d2e1f0");
    let lowest = |change: &dyn Fn([BigUint; 2]) -> [BigUint; 2]| {
        let mut found = None;
        let test = circuit(|ctx| {
            let given: AssignedValue<Fr> = ctx.load_witness(biguint_to_fe(&value));
            let chip = ctx.chips.foreign();
            let honest = chip.lowest(ctx, given);
            let above = &value >> (honest.value().bits().next_multiple_of(8) as usize);
            let [low, high] = change([honest.value().clone(), above]);
            let element = chip.lowest_of_hint(ctx, given, [low, high]);
            let operands = [Operand::Element(&element), Operand::Constant(&number(1))];
            let product = element.value() % prime();
            chip.relate(&equations()[1], &operands, &product);
            found = Some(honest.value().clone());
        });
        (test.is_satisfied(), found.expect("it was built"))
    };
    let (holds, low) = lowest(&|parts| parts);
    let bits = low.bits().next_multiple_of(8);
    assert!(holds && bits >= 192, "{bits}");
    assert_eq!(low, &value % (BigUint::one() << bits));
    assert!(!lowest(&|[low, high]| [low + 1u8, high]).0);
    assert!(!lowest(&|[low, high]| [low, high + 1u8]).0);
}

/// A gate with elements and limbs of these bits.
fn limbs_of(element_bits: usize, limb_bits: usize) -> Layout {
    let foreign = ForeignLayout::new(&native(), 8, 4, &equations());
    let foreign = ForeignLayout { element_bits, limb_bits, ..foreign };
    Layout { foreign: vec![foreign], edwards_lanes: 0, ..layout(10, &[]) }
}

/// Takes the lowest limbs in it.
fn lowest_of(element_bits: usize, limb_bits: usize) {
    TestCircuit::new(limbs_of(element_bits, limb_bits), |ctx| {
        let given = ctx.load_witness(Fr::one());
        ctx.chips.foreign().lowest(ctx, given);
    });
}

#[test]
fn limbs_of_whole_challenges() {
    lowest_of(254, 64);
    lowest_of(254, 48);
}

/// Three limbs of 64 bits, five of 48 and seven of 32, once and behind others: another number is refused by the sum, and what makes the sum hold by
/// a copy. The limbs that are not taken are 0, and nothing is open but what the range checks take.
#[test]
fn the_lowest_limbs_make_the_element() {
    for (limb_bits, products) in [(64, 3), (48, 5), (32, 7)] {
        let layout = limbs_of(254, limb_bits);
        for before in [0, 1] {
            let mut test = TestCircuit::new(layout.clone(), |ctx| {
                let zero = ctx.load_zero();
                (0..before).for_each(|_| drop(ctx.chips.foreign().lowest(ctx, zero)));
                let honest =
                    hex("2123456789abcdef0fedcba9876543210f1e2d3c4b5a69788796a5b4c3d2e1f0");
                let given = ctx.load_witness(biguint_to_fe(&honest));
                let bits = limb_bits * products;
                let (low, high) = (&honest % (BigUint::one() << bits), &honest >> bits);
                ctx.chips.foreign().lowest_of_hint(ctx, given, [low + 2u8, high]);
            });
            test.assert_sum_is_bound(products);
        }
        let mut rows = vec![];
        let test = TestCircuit::new(layout, |ctx| {
            for _ in 0..2 {
                rows.push(ctx.advice.len());
                let given = ctx.load_witness(power(200));
                ctx.chips.foreign().lowest(ctx, given);
            }
        });
        test.assert_satisfied();
        let (open, _) = test.open_values_given(rows);
        assert_eq!(open, vec![], "limbs of {limb_bits} bits");
    }
}

/// Two limbs of 88 bits pass a range check, three do not.
#[test]
#[should_panic(expected = "a challenge has 192 bits")]
fn challenges_are_not_short() {
    lowest_of(254, 88);
}

/// The fifth limb of 48 bits has 32 in an element of 224, as those of P-224 are.
#[test]
#[should_panic(expected = "what is taken is shorter than an element")]
fn what_is_taken_is_shorter_than_an_element() {
    lowest_of(224, 48);
}

/// A top limb of six bits, in a lookup of eight: its multiple that fills the lookup is there, too.
#[test]
fn short_limbs_outside_a_block_are_in_range() {
    let value = (BigUint::from(33u8) << 248) + 7u8;
    let mut test = TestCircuit::new(limbs_of(254, 248), |ctx| {
        let element = ctx.chips.foreign().witness(ctx, &value);
        assert_eq!(element.shape(), ctx.chips.foreign().block().format().limb_shape());
    });
    test.assert_satisfied();
    let [top, multiple] = [33, 33 * 4].map(Fr::from);
    for more in [64 - 33, 64] {
        let changes = [(top, top + Fr::from(more)), (multiple, multiple + Fr::from(4 * more))];
        let forged = test.replace(&changes);
        assert!(test.fails_range_checks_alone(forged));
        // The multiple as it was.
        let forged = test.replace(&changes[..1]);
        assert!(!test.is_satisfied_with_all(forged));
    }
}

#[test]
#[should_panic(expected = "a witness is as short as an element")]
fn witnesses_are_not_longer_than_elements() {
    circuit(|ctx| {
        ctx.chips.foreign().witness(ctx, &(BigUint::one() << 254));
    });
}

/// A limb with a bit too much, which the next one makes up for.
#[test]
fn the_lowest_limbs_are_in_range() {
    (0..2).for_each(lowest_limbs_are_in_range);
}

/// The same of limbs that are taken behind others.
fn lowest_limbs_are_in_range(before: usize) {
    let value = hex("0123456789abcdef0fedcba9876543210f1e2d3c4b5a69788796a5b4c3d2e1f1");
    let (mut limbs, mut bits) = (vec![], 0);
    let mut test = circuit(|ctx| {
        let zero = ctx.load_zero();
        (0..before).for_each(|_| drop(ctx.chips.foreign().lowest(ctx, zero)));
        let given = ctx.load_witness(biguint_to_fe(&value));
        let element = ctx.chips.foreign().lowest(ctx, given);
        bits = element.shape().limb_bits;
        limbs = element.limbs().iter().map(|cell| *cell.value()).collect();
    });
    test.assert_satisfied();
    let changes = [(limbs[0], limbs[0] + power(bits)), (limbs[1], limbs[1] - Fr::one())];
    let forged = test.replace(&changes);
    assert!(test.fails_range_checks_alone(forged));
    // What is above the limbs, beyond its range: another multiple of the native prime would be there.
    let above: Fr = biguint_to_fe(&(&value >> (bits * (252 / bits))));
    let last = limbs.iter().rposition(|limb| *limb != Fr::zero()).expect("there are limbs");
    let shift = power(bits * (252 / bits - last)).invert().expect("a power of two");
    let low: Fr = biguint_to_fe(&(&value % (BigUint::one() << (bits * (252 / bits)))));
    let changes = [
        (above, above + shift),
        (limbs[last], limbs[last] - Fr::one()),
        (low, low - power(bits * last)),
    ];
    let forged = test.replace(&changes);
    assert!(test.fails_range_checks_alone(forged));
}

#[test]
#[should_panic(expected = "an operand's limbs have signs, or are those of a witness")]
fn an_operand_has_one_range() {
    let _ = Equation::multiply(&prime()).signed(0).near([Source::Operand(0)]);
}
