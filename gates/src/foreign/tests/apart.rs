//! Equations which also say that `Y₀` is not 0 modulo the prime.

use super::{
    cells::{free_cells, names, numbered},
    fields::{layout_of, Field},
    Source::{Above, Back, Operand as Given},
    *,
};

/// `R·(B₁ - A₀) = A₁`, whatever `R` is where both sides are 0.
fn slope(p: &BigUint) -> Equation {
    Equation::result(p, Given(1) / (Back(1) - Given(0)))
}

/// `R = A₁` of the block above, and nothing is said of `Y₀`.
fn handed_down(p: &BigUint) -> Equation {
    Equation::result(p, Form::from(Above(1)))
}

fn equations(p: &BigUint) -> Vec<Equation> {
    vec![Equation::free(), slope(p), slope(p).apart(), handed_down(p)]
}

/// `R = A₀·A₁ + A₂·A₃ + A₄·A₅`: of these operands a slope takes two.
fn six(p: &BigUint) -> Equation {
    Equation::result(p, Given(0) * Given(1) + Given(2) * Given(3) + Given(4) * Given(5))
}

/// Gates in which what shows a difference has cells of its own, and has those of an operand that slopes leave idle.
fn gates(p: &BigUint) -> [Vec<Equation>; 2] {
    [equations(p), [equations(p), vec![six(p)]].concat()]
}

fn gate_of(equations: &[Equation], of: (usize, usize)) -> Layout {
    let short = layout_of(of.0, vec![ForeignLayout::new(&native(), of.0, of.1, equations)]);
    let rows = (20 * block(&short).rows()).max(1 << of.0) + 32;
    Layout { k: rows.ilog2() + 1, ..short }
}

/// The slope `result` between `x` and `(x₁, y₁)`, in the fourth block below the first ones.
fn chord(layout: &Layout, equation: &Equation, [x, x1, y1, result]: [&BigUint; 4]) -> TestCircuit {
    circuit(layout, |chip| {
        let operands = [x1, y1].map(|value| any(chip, value));
        let above = any(chip, x);
        let operands = operands.each_ref().map(Operand::Element);
        chip.below(&[&above]).relate(equation, &operands, result);
    })
}

/// The block of the slope.
const SLOPE: usize = HISTORY + 3;
/// The last has a row more than its lookups take.
const SHAPES: [(usize, usize); 4] = [(8, 1), (8, 4), (12, 9), (12, 4)];
const NOT_ZERO: &str = "the difference is not 0";

/// The three multiples of the prime that a difference may be are refused, by nothing else; their neighbours are fine.
/// Without the flag a slope between points with one coordinate is any number.
#[test]
fn differences_are_no_multiples_of_the_prime() {
    for field in Field::all() {
        let p = &field.p;
        let (x, zero, wild) = (number(7), number(0), number(123_456));
        let longer = &x + p;
        let all = gates(p);
        for (equations, of) in all.iter().flat_map(|all| SHAPES.map(|of| (all, of))) {
            let layout = gate_of(equations, of);
            for (a, b) in [(&x, &x), (&longer, &x), (&x, &longer), (&longer, &longer)] {
                let met = [a, b, &zero, &wild];
                chord(&layout, &slope(p), met).assert_satisfied();
                let mut test = chord(&layout, &slope(p).apart(), met);
                assert_eq!(test.failing(vec![]), [NOT_ZERO], "{of:?}");
            }
            for a in [&x - 1u8, &x + 1u8, &longer - 1u8, &longer + 1u8] {
                for flagged in [slope(p), slope(p).apart()] {
                    chord(&layout, &flagged, [&a, &x, &zero, &zero]).assert_satisfied();
                    // The slope is determined.
                    let test = chord(&layout, &flagged, [&a, &x, &zero, &wild]);
                    assert_eq!(test.false_relations(), Some(1), "{of:?}");
                }
            }
        }
    }
}

/// Another difference, with its inverse, is not `Y₀`; another inverse is none.
#[test]
fn differences_and_inverses_are_bound() {
    for field in Field::all() {
        let p = &field.p;
        let (x, zero, wild) = (number(7), number(0), number(123_456));
        for equations in gates(p) {
            let layout = gate_of(&equations, SMALL);
            let block = block(&layout);
            let put = |cell, value| operand(&block, SLOPE, cell, value);
            let mut met = chord(&layout, &slope(p).apart(), [&x, &x, &zero, &wild]);
            let one = Fr::one();
            let modulus: Fr = biguint_to_fe(&(p % native()));
            let product = one * (one - modulus) * (one + modulus);
            let inverse = Option::<Fr>::from(product.invert()).expect("1 is no multiple of p");
            let lie = vec![put(OperandCell::Difference, one), put(OperandCell::Inverse, inverse)];
            assert_eq!(met.failing(lie), ["the difference"]);
            assert_eq!(met.failing(vec![put(OperandCell::Inverse, one)]), [NOT_ZERO]);
            assert_eq!(met.failing(vec![put(OperandCell::Difference, modulus)]).len(), 2);
        }
    }
}

/// Of points that no block made the difference has no other multiples of the prime, and is bound alike.
#[test]
fn differences_of_witnesses() {
    for field in Field::all() {
        let p = &field.p;
        let flagged = slope(p).apart().near([Given(0), Given(1)]);
        let layout = gate_of(&[vec![six(p), flagged.clone()], equations(p)].concat(), SMALL);
        let build = |x: &BigUint, x1: &BigUint, result: u64| {
            TestCircuit::new(layout.clone(), |ctx| {
                let chip = ctx.chips.foreign();
                (0..HISTORY).for_each(|_| drop(any(chip, &BigUint::ZERO)));
                let operands = [x1, &number(0)].map(|value| chip.witness(ctx, value));
                let above = any(chip, x);
                let operands = operands.each_ref().map(Operand::Element);
                chip.below(&[&above]).relate(&flagged, &operands, &number(result));
            })
        };
        let (x, longer) = (number(7), p + 7u8);
        for (a, b) in [(&x, &x), (&longer, &x), (&x, &longer), (&longer, &longer)] {
            assert_eq!(build(a, b, 123_456).failing(vec![]), [NOT_ZERO]);
        }
        for (a, b) in [(&x + 1u8, &x), (&longer - 1u8, &x), (&x - 1u8, &longer)] {
            build(&a, b, 0).assert_satisfied();
            assert_eq!(build(&a, b, 123_456).false_relations(), Some(1));
        }
    }
}

/// Half of what an element may be, but not of what a witness may be.
fn least_prime() -> BigUint {
    (BigUint::one() << 253) + 1u8
}

#[test]
fn elements_are_below_twice_the_least_prime() {
    let p = least_prime();
    let layout = gate_of(&equations(&p), SMALL);
    let [x, x1, zero] = [7, 8, 0].map(number);
    chord(&layout, &slope(&p).apart(), [&x, &x1, &zero, &zero]).assert_satisfied();
}

#[test]
#[should_panic(expected = "an element is below twice the prime")]
fn witnesses_of_a_shorter_prime_are_refused() {
    let p = least_prime();
    let flagged = slope(&p).apart().near([Given(0)]);
    let layout = gate_of(&[equations(&p), vec![flagged.clone()]].concat(), SMALL);
    let [x, x1, zero] = [7, 8, 0].map(number);
    chord(&layout, &flagged, [&x, &x1, &zero, &zero]);
}

/// An operand in whose cells a difference would be shown is not given.
#[test]
#[should_panic(expected = "the operand is idle whose cells show that a difference is not 0")]
fn idle_operands_are_not_given() {
    let p = Field::bn254().p;
    circuit(&gate_of(&gates(&p)[1], SMALL), |chip| {
        let operands = [7, 0, 5].map(|value| any(chip, &number(value)));
        let above = any(chip, &number(8));
        let operands = operands.each_ref().map(Operand::Element);
        chip.below(&[&above]).relate(&slope(&p).apart(), &operands, &number(0));
    });
}

/// Nor does the gate take equations that need more operands than it was made for.
#[test]
#[should_panic(expected = "the sums of the gate were made for this equation")]
fn differences_beside_more_operands_are_refused() {
    let p = Field::bn254().p;
    let layout = gate_of(&gates(&p)[1], SMALL);
    let [x, x1] = [1, 2].map(number);
    chord(&layout, &slope(&p).apart().near([Given(2)]), [&x, &x1, &x, &x]);
}

/// Where an operand is given, its cells are its own: those that show a difference elsewhere, too.
#[test]
fn operands_are_bound_where_slopes_leave_them_idle() {
    let p = Field::bn254().p;
    let layout = gate_of(&gates(&p)[1], SMALL);
    let values = [3, 5, 7, 11, 13, 17].map(|i| &p / (i as u8));
    let result = &values[0] * &values[1] + &values[2] * &values[3] + &values[4] * &values[5];
    let mut test = circuit(&layout, |chip| {
        let operands = values.each_ref().map(|value| any(chip, value));
        let operands = operands.each_ref().map(Operand::Element);
        chip.relate(&six(&p), &operands, &(result % &p));
    });
    let free = numbered(free_cells(&layout, &mut test, HISTORY + 6, 1));
    assert_eq!(free, [""; 0]);
}

/// Every cell of a block that says so is bound; elsewhere the two cells are free.
#[test]
fn cells_of_a_difference() {
    for field in Field::all() {
        let p = &field.p;
        let (x, x1) = (p / 3u8, p / 5u8);
        let inverse = (&x - &x1).modinv(p).expect("not 0");
        let y1 = p / 7u8;
        let result = &y1 * inverse % p;
        for (of, step) in [(SMALL, 1), ((12, 9), 7), ((12, 4), 1)] {
            let layout = gate_of(&equations(p), of);
            let free = |equation: &Equation| {
                let mut test = chord(&layout, equation, [&x, &x1, &y1, &result]);
                numbered(free_cells(&layout, &mut test, SLOPE, step))
            };
            assert_eq!(free(&slope(p).apart()), [""; 0], "{of:?}");
            let free = free(&slope(p));
            assert!(step > 1 || free == names(&["difference", "inverse"]), "{free:?}");
        }
    }
}

/// An operand is there for the block below although its own equation has no use for it.
#[test]
fn operands_are_handed_down() {
    for field in Field::all() {
        let p = &field.p;
        let layout = gate_of(&equations(p), SMALL);
        let build = |result: u64| {
            circuit(&layout, |chip| {
                let operands = [5, 7].map(|value| any(chip, &number(value)));
                let operands = operands.each_ref().map(Operand::Element);
                let above = chip.relate(&Equation::free(), &operands, &number(1));
                chip.below(&[&above]).relate(&handed_down(p), &[], &number(result));
            })
        };
        build(7).assert_satisfied();
        assert_eq!(build(8).false_relations(), Some(1));
        let mut test = build(7);
        let free = numbered(free_cells(&layout, &mut test, HISTORY + 2, 1));
        // Nothing is said of this block's result and of operand 0, which is a copy.
        assert_eq!(free, names(&["difference", "inverse", "quotient", "result"]));
    }
}

#[test]
#[should_panic(expected = "there is an operand above")]
fn an_operand_above_was_given() {
    let p = Field::bn254().p;
    circuit(&gate_of(&equations(&p), SMALL), |chip| {
        let above = any(chip, &number(7));
        chip.below(&[&above]).relate(&handed_down(&p), &[], &number(0));
    });
}

#[test]
#[should_panic(expected = "an element is below twice the prime")]
fn a_shorter_prime_is_refused() {
    let field = Field::curve25519();
    let order = field.order.expect("it has one");
    let layout = gate_of(&[Equation::multiply(&field.p), slope(&order).apart()], SMALL);
    let [x, x1] = [1, 2].map(number);
    chord(&layout, &slope(&order).apart(), [&x, &x1, &x, &x]);
}

#[test]
#[should_panic(expected = "the sums of the gate were made for this equation")]
fn a_gate_without_the_flag_refuses_it() {
    let p = Field::bn254().p;
    let layout = gate_of(&[Equation::free(), slope(&p)], SMALL);
    let [x, x1] = [1, 2].map(number);
    chord(&layout, &slope(&p).apart(), [&x, &x1, &x, &x]);
}

#[test]
#[should_panic(expected = "the sum Y is the difference of two elements")]
fn a_sum_is_no_difference() {
    drop(Equation::result(&Field::bn254().p, Given(1) / (Back(1) + Given(0))).apart());
}

/// Signs that come later make it none, too.
#[test]
#[should_panic(expected = "the sum Y is the difference of two elements")]
fn operands_with_signs_are_refused() {
    let p = Field::bn254().p;
    let signed = slope(&p).apart().signed(0);
    let layout = gate_of(&[Equation::free(), signed.clone()], SMALL);
    let [x, x1] = [1, 2].map(number);
    chord(&layout, &signed, [&x, &x1, &x, &x]);
}

/// The flag is in a layout's file where it is set, and in no other; the columns differ by it alone.
#[test]
fn layouts_say_whether_there_is_a_difference() {
    let p = Field::bn254().p;
    let gate = |equation: Equation| ForeignLayout::new(&native(), 8, 4, &[equation]);
    let [without, with] = [gate(slope(&p)), gate(slope(&p).apart())];
    let text = |gate: &ForeignLayout| serde_json::to_string(gate).expect("plain data");
    assert!(!text(&without).contains("apart"));
    assert!(text(&with).contains(r#""apart":2"#));
    for gate in [&without, &with] {
        let read: ForeignLayout = serde_json::from_str(&text(gate)).expect("its own file");
        assert_eq!(read, *gate);
    }
    assert_ne!(without, with);
    let cells = |gate: &ForeignLayout| Block::new(native(), gate, 8).operand_cells();
    assert_eq!(cells(&with) - cells(&without), 2);
    let [without, with] = [slope(&p), slope(&p).apart()]
        .map(|slope| ForeignLayout::new(&native(), 8, 4, &[slope, six(&p)]));
    assert_eq!(cells(&with), cells(&without));
}

/// One row more than lookups take, where that saves a column of operands. Gates without the flag, and those with digits,
/// have as few rows as can be.
#[test]
fn rows_are_those_of_the_fewest_cells() {
    let p = Field::bn254().p;
    let shape = |equations: &[Equation], columns: usize| {
        let gate = ForeignLayout::new(&native(), 16, columns, equations);
        let block = Block::new(native(), &gate, 16);
        (block.lookups(), block.rows(), block.operand_columns())
    };
    // No operand is idle.
    let apart = [six(&p), slope(&p).apart().near([Given(5)])];
    assert_eq!(shape(&apart, 1), (48, 48, 1));
    assert_eq!(shape(&apart, 2), (48, 26, 1));
    assert_eq!(shape(&apart, 3), (48, 16, 2));
    for slope in [slope(&p), slope(&p).apart()] {
        assert_eq!(shape(&[six(&p), slope], 2), (48, 24, 1));
    }
    let asks = Equation::result(&p, Form::from(Source::Turned)).differing(Back(2), Given(0));
    assert_eq!(shape(&[six(&p), slope(&p).apart(), asks], 2), (48, 24, 2));
    // The shapes of other tests are among both.
    let more = |(bits, columns): (usize, usize)| {
        let gate = ForeignLayout::new(&native(), bits, columns, &equations(&p));
        let block = Block::new(native(), &gate, bits);
        block.rows() - block.lookups().div_ceil(columns)
    };
    assert_eq!(SHAPES.map(more), [0, 0, 0, 1]);
}
