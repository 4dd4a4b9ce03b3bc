//! Several gates in one circuit, and what the file of a layout says of them.

use super::{
    fields::{less, Field},
    *,
};
use crate::{forgery::freedom, Chips, GateCircuit, GateContext};

const OF: (usize, usize) = (8, 4);

/// Gates of 256 bits, with tables, and of 381 bits, with four operands.
fn two() -> Layout {
    let mut layout = shape(OF);
    let [.., field] = Field::all();
    layout.foreign.push(field.gate(OF));
    Layout { k: 13, ..layout }
}

fn build(chips: &Chips, [first, second]: [u64; 2]) {
    let [_, _, field] = Field::all();
    let of = |bits: usize| {
        let chip = chips.foreign_of(bits);
        let [a, b, c, d, ..] = [3, 5, 9, 4, 0, 0].map(|value| any(chip, &number(value)));
        (chip, [a, b, c, d])
    };
    let (short, [a, b, ..]) = of(256);
    let operands = [&a, &b].map(Operand::Element);
    short.relate(&Equation::multiply(&base_field()), &operands, &number(first));
    let (long, cells) = of(381);
    let [a, b, c, d] = cells.each_ref().map(Operand::Element);
    long.relate(&less(&field.p), &[c, d, b, a], &number(second));
}

fn of_two(build: impl FnOnce(&mut GateContext)) -> TestCircuit {
    TestCircuit::new(two(), build)
}

/// Each gate says what it says by itself: both relations, and either of them wrong.
#[test]
fn two_gates_in_a_circuit() {
    let of = |results: [u64; 2]| of_two(|ctx| build(ctx.chips, results));
    of([15, 21]).assert_satisfied();
    for wrong in [[16, 21], [15, 22], [21, 15]] {
        assert_eq!(of(wrong).failing(vec![]), ["limbs", "native"], "{wrong:?}");
    }
    let [short, long] = &two().blocks()[..] else { panic!("there are two") };
    let foreign = |block: &Block| block.columns() + block.operand_columns();
    let layout = two();
    assert_eq!(layout.advice_columns() - layout.vertical_columns, foreign(short) + foreign(long));
}

/// Every cell of both relations overwritten: no gate leaves what the other one binds.
#[test]
fn cells_of_two_gates() {
    let mut test = of_two(|ctx| build(ctx.chips, [15, 21]));
    let blocks = two().blocks();
    let advice = test.advice();
    let mut first = 0;
    for (block, free) in blocks.iter().zip([cells::DIGIT.len(), 0]) {
        let columns = block.columns() + block.operand_columns();
        // Behind six operands.
        let id = 6;
        let mut found = std::collections::BTreeSet::new();
        for (column, row) in (0..columns).flat_map(|c| (0..block.rows()).map(move |r| (c, r))) {
            let name = cells::name(block, column, row);
            if ["no operand", "no sum"].contains(&name.as_str()) {
                continue;
            }
            let (column, row) = (first + column, id * block.rows() + row);
            let value = advice[column][row] + Fr::one();
            if test.is_satisfied_with(Forged { column, row, value }) {
                found.insert(name);
            }
        }
        assert_eq!(found.len(), free, "{found:?}");
        first += columns;
    }
}

/// What is free of two gates: the elements that no relation gives, of those that are used, and nothing of what a relation gives.
#[test]
fn freedom_of_two_gates() {
    let circuit = GateCircuit::new(&two(), false, |ctx| build(ctx.chips, [15, 21]));
    let found = freedom(&circuit, &[]);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [("element".to_owned(), 6)]);
}

/// What a gate counts on is the length of limbs: it takes no element of another gate.
#[test]
#[should_panic(expected = "an element has the limbs of the gate")]
fn an_element_of_another_gate_is_refused() {
    of_two(|ctx| {
        let [short, long] = [256, 381].map(|bits| any(ctx.chips.foreign_of(bits), &number(3)));
        let operands = [&short, &long].map(Operand::Element);
        ctx.chips.foreign_of(256).relate(&Equation::multiply(&base_field()), &operands, &number(9));
    });
}

#[test]
#[should_panic(expected = "an element has the limbs of the gate")]
fn an_entry_of_another_gate_is_refused() {
    of_two(|ctx| {
        let [short, long] = [256, 381].map(|bits| any(ctx.chips.foreign_of(bits), &number(3)));
        let chip = ctx.chips.foreign_of(256);
        chip.enter((chip.table(), 1), [Coordinate::Element(&short), Coordinate::Element(&long)]);
    });
}

#[test]
#[should_panic(expected = "an element has the limbs of the gate")]
fn a_choice_of_another_gate_is_refused() {
    of_two(|ctx| {
        let [short, long] = [256, 381].map(|bits| any(ctx.chips.foreign_of(bits), &number(3)));
        let bit = ctx.load_witness(Fr::one());
        ctx.chips.foreign_of(256).select(ctx, bit, &short, &long);
    });
}

#[test]
#[should_panic(expected = "the layout has 2 gates of foreign primes")]
fn one_of_several_gates_is_named() {
    of_two(|ctx| {
        ctx.chips.foreign();
    });
}

#[test]
#[should_panic(expected = "the gate was made for tables")]
fn a_gate_without_digits_has_no_tables() {
    of_two(|ctx| {
        let chip = ctx.chips.foreign_of(381);
        let three = any(chip, &number(3));
        chip.enter((chip.table(), 1), [Coordinate::Element(&three), Coordinate::Element(&three)]);
    });
}

#[test]
#[should_panic(expected = "a gate for each length of elements")]
fn two_gates_of_one_length_are_refused() {
    let mut layout = shape(OF);
    layout.foreign.push(layout.foreign[0].clone());
    layout.blocks();
}

/// One gate is written as before there could be several, and sums of curves are not written.
#[test]
fn files_of_layouts() {
    let read = |json: &serde_json::Value| serde_json::from_value::<Layout>(json.clone());
    let written = |layout: &Layout| serde_json::to_value(layout).expect("plain data");
    let mut curve = shape(OF);
    curve.foreign[0].sums = Sums::default();
    let json = written(&curve);
    let names: Vec<_> = json["foreign"].as_object().expect("a gate").keys().collect();
    let fields = ["carries", "carry_bits", "columns", "element_bits", "group", "limb_bits"];
    assert_eq!(names, [&fields[..], &["quotient_bits"]].concat());
    assert_eq!(read(&json).expect("it was written"), curve);
    // Without gates there is no field; several are a list.
    let none = Layout { foreign: vec![], ..curve.clone() };
    assert_eq!(written(&none).get("foreign"), None);
    assert_eq!(read(&written(&none)).expect("it was written"), none);
    let json = written(&two());
    assert_eq!(json["foreign"].as_array().expect("a list").len(), 2);
    assert_eq!(read(&json).expect("it was written"), two());
    // There is one way to write it.
    for count in [0, 1] {
        let mut short = json.clone();
        short["foreign"].as_array_mut().expect("a list").truncate(count);
        assert!(read(&short).is_err(), "{count}");
    }
    for other in [serde_json::json!(null), serde_json::json!(7), serde_json::json!({})] {
        let mut changed = json.clone();
        changed["foreign"] = other;
        assert!(read(&changed).is_err());
    }
    let mut unknown = written(&curve);
    unknown["foreign"]["surplus"] = 1.into();
    assert!(read(&unknown).is_err());
}
