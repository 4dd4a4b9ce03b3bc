//! What two relations determine together, as the freedom of a witness counts it.

use super::*;
use crate::{forgery::freedom, GateCircuit};

/// `A₀·A₁` and `A₀ + 2A₁` of two numbers that nothing else determines: both numbers follow, unless the two are twice one root.
#[test]
fn relations_count_together() {
    let [a, b] = [0, 1].map(Source::Operand);
    let counts = |first: u64, second: u64| {
        let [product, sum] = [first * second, first + 2 * second].map(|value| value as i64);
        let zero = |form: Form| Equation::zero(&base_field(), form);
        let equations = [zero(a * b - product), zero(a + 2 * b - sum), Equation::free()];
        let circuit = GateCircuit::new(&shape_of(SMALL, &equations), false, |ctx| {
            let chip = ctx.chips.foreign();
            (0..HISTORY).for_each(|_| drop(any(chip, &BigUint::ZERO)));
            let numbers = [first, second].map(|value| any(chip, &number(value)));
            let operands = numbers.each_ref().map(Operand::Element);
            for equation in &equations[..2] {
                chip.relate(equation, &operands, &BigUint::ZERO);
            }
        });
        freedom(&circuit, &[]).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(counts(5, 3), []);
    // The roots are equal: a small change of one makes up for one of the other, and one relation only refuses.
    assert_eq!(counts(6, 3), [("checks".to_owned(), 1), ("element".to_owned(), 1)]);
}
