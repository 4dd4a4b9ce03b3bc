//! Blocks whose equations read those above: the order of blocks is what the cursor says.

use super::{Source::Back, *};

/// `R = B₁ - B₂`
pub(super) fn difference() -> Equation {
    Equation::result(&base_field(), Back(1) - Back(2))
}

fn records(build: impl FnOnce(&ForeignChip)) -> TestCircuit {
    circuit(&shape(SMALL), build)
}

#[test]
fn blocks_above_are_those_that_were_named() {
    let run = |result: u64| {
        records(|chip| {
            let [two, five] = [2, 5].map(|value| any(chip, &number(value)));
            let mut cursor = chip.below(&[&two, &five]);
            let three = cursor.relate(&difference(), &[], &number(3));
            // What the cursor recorded itself is known, too: 3 - 5.
            let next = base_field() - number(result);
            let next = cursor.relate(&difference(), &[], &next);
            chip.below(&[&five, &three, &next]);
        })
    };
    run(2).assert_satisfied();
    assert_eq!(run(1).failing(vec![]), ["limbs", "native"]);
}

#[test]
#[should_panic(expected = "has a cursor")]
fn blocks_above_are_not_read_without_a_cursor() {
    records(|chip| {
        let [_, _] = [2, 5].map(|value| any(chip, &number(value)));
        chip.relate(&difference(), &[], &number(3));
    });
}

#[test]
#[should_panic(expected = "reaches blocks that are known")]
fn an_equation_stays_below_the_named_blocks() {
    records(|chip| {
        let [_, five] = [2, 5].map(|value| any(chip, &number(value)));
        chip.below(&[&five]).relate(&difference(), &[], &number(3));
    });
}

#[test]
#[should_panic(expected = "result 0 of 2 stands where the cursor takes it to be")]
fn named_blocks_are_in_order() {
    records(|chip| {
        let [two, five] = [2, 5].map(|value| any(chip, &number(value)));
        chip.below(&[&five, &two]);
    });
}

#[test]
#[should_panic(expected = "result 1 of 2 stands where the cursor takes it to be")]
fn named_blocks_are_the_last_ones() {
    records(|chip| {
        let [two, five] = [2, 5].map(|value| any(chip, &number(value)));
        any(chip, &number(7));
        chip.below(&[&five, &two]);
    });
}

#[test]
#[should_panic(expected = "stands where the cursor takes it to be")]
fn what_is_chosen_has_no_block() {
    TestCircuit::new(shape(SMALL), |ctx| {
        let chip = ctx.chips.foreign();
        let [two, five] = [2, 5].map(|value| any(chip, &number(value)));
        let bit = ctx.load_witness(Fr::one());
        let chosen = chip.select(ctx, bit, &two, &five);
        chip.below(&[&chosen]);
    });
}

#[test]
#[should_panic(expected = "nobody else records below a cursor")]
fn nobody_records_between() {
    records(|chip| {
        let [two, five] = [2, 5].map(|value| any(chip, &number(value)));
        let mut cursor = chip.below(&[&two, &five]);
        any(chip, &number(7));
        cursor.relate(&difference(), &[], &number(3));
    });
}
