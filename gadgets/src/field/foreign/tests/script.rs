//! What relations of a script read by rotation, and what they copy.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};
use num_bigint::BigUint;

use super::super::{
    integer::element,
    script::{Script, Var, REACH},
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{
    foreign::{
        Equation, ForeignLayout, Form,
        Source::{self, Above, Back, Operand},
    },
    Layout,
};
use muster_schemes::curve::weierstrass::Curve;

/// The sum of names, and where the relation finds them.
fn sum<const N: usize>(script: &mut Script, vars: [Var; N]) -> (Var, [Source; N]) {
    let mut places = None;
    let sum = script.result(|at| {
        let found = vars.map(at);
        places = Some(found);
        found.into_iter().fold(Form::default(), |sum, place| sum + place)
    });
    let expected = vars.iter().fold(BigUint::ZERO, |sum, var| sum + script.value(*var));
    assert_eq!(*script.value(sum), expected % script.modulus());
    (sum, places.expect("the form was written"))
}

/// Results are in reach of so many relations, and then they are copied.
fn results_are_in_reach(script: &mut Script, [a, ..]: [Var; 3]) {
    let (result, _) = sum(script, [a]);
    for distance in 1..=REACH {
        assert_eq!(sum(script, [result]).1, [Back(distance)]);
    }
    assert_eq!(sum(script, [result]).1, [Operand(0)]);
    assert_eq!(sum(script, [result]).1, [Above(0)]);
}

/// Operands of the relation above, which are those of no other: it may have other operands, or none.
fn operands_are_those_above(script: &mut Script, [a, b, c]: [Var; 3]) {
    assert_eq!(sum(script, [a, b]).1, [Operand(0), Operand(1)]);
    assert_eq!(sum(script, [c, b]).1, [Operand(0), Above(1)]);
    assert_eq!(sum(script, [b, c]).1, [Operand(0), Above(0)]);
    assert_eq!(sum(script, [a, b, c]).1, [Operand(0), Above(0), Operand(1)]);
    assert_eq!(sum(script, [a, c]).1, [Above(0), Above(1)]);
    assert_eq!(sum(script, [a, c]).1, [Operand(0), Operand(1)]);
}

fn one_operand_is_named_twice(script: &mut Script, [a, b, _]: [Var; 3]) {
    script.free(&BigUint::ZERO);
    assert_eq!(sum(script, [a, b, a]).1, [Operand(0), Operand(1), Operand(0)]);
}

fn all(script: &mut Script, given: [Var; 3]) {
    results_are_in_reach(script, given);
    operands_are_those_above(script, given);
    one_operand_is_named_twice(script, given);
}

/// A script without a circuit, which knows three names.
fn equations() -> (Script<'static>, [Var; 3]) {
    let mut script = Script::of_equations(Curve::Secp256k1.p());
    let given = [(); 3].map(|()| script.unknown());
    (script, given)
}

/// Without a circuit and in one.
#[test]
fn names_are_found() {
    let (mut script, given) = equations();
    all(&mut script, given);
    let mut room = script.equations().to_vec();
    room.push(Equation::free());
    let foreign = ForeignLayout::new(&modulus::<Fr>(), 12, 2, &room);
    let layout = Layout { range_bits: 12, foreign: vec![foreign], ..layout(13, &[]) };
    let test = TestCircuit::new(layout, |ctx| {
        let chip = ctx.chips.foreign();
        (0..REACH).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let given = [5u8, 60, 70].map(|number| element(chip, &number.into()));
        let mut recorded = Script::new(chip, Curve::Secp256k1.p());
        let given = given.each_ref().map(|element| recorded.given(element));
        all(&mut recorded, given);
        assert_eq!(recorded.equations(), script.equations());
    });
    test.assert_satisfied();
    test.assert_relations_are_bound("field/foreign/tests/script");
}

#[test]
#[should_panic(expected = "a name of this script")]
fn relations_refuse_names_of_others() {
    let ((mut script, _), (_, [other, ..])) = (equations(), equations());
    script.result(|at| Form::from(at(other)));
}

#[test]
#[should_panic(expected = "a name of this script")]
fn others_have_no_value() {
    let ((script, _), (_, [other, ..])) = (equations(), equations());
    script.value(other);
}

#[test]
#[should_panic(expected = "a name of this script")]
fn others_have_no_limbs() {
    let ((script, _), (_, [other, ..])) = (equations(), equations());
    script.limbs(other);
}
