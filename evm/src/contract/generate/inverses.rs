//! Inverses, all with one exponentiation.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    super::{
        code::{constant, hex, load, product, Code},
        memory::Memory,
        protocol::{Protocol, WORD},
    },
    denominator::{Denominator, Inverses, Place},
    inputs, interpolate,
    size::{has_many, is_long},
};

/// Gas for the precompile: three times what it costs since EIP-7883, nine times what it cost before.
const GAS: usize = 12_000;

/// Writes the values and inverts them (Montgomery's trick): beside each value is the product of those
/// before it, so the inverse of the product of all gives the inverses one by one.
pub(super) fn invert(
    protocol: &Protocol,
    denominators: &[Denominator],
    memory: &mut Memory,
    code: &mut Code,
) -> Inverses {
    let places = places(protocol, denominators.len(), memory);
    let modexp = memory.take(6 * WORD);
    code.line("let x := ".to_owned() + &load(memory.x));
    code.line("let u := ".to_owned() + &load(memory.u));
    code.line("let v := x");
    code.remark(format!("x^n by {} squarings.", protocol.k));
    if has_many(protocol) {
        let head = format!("for {{ let i := {} }} i {{ i := sub(i, 1) }}", protocol.k);
        code.block(&head, |code| code.line("v := mulmod(v, v, r)"));
    } else {
        (0..protocol.k).for_each(|_| code.line("v := mulmod(v, v, r)"));
    }
    code.store(memory.x_n, "v");
    code.remark("Each value, and the product of those before it.");
    code.line("let p := 1");
    if is_long(protocol) {
        memory.omega = has_many(protocol).then(|| memory.word());
        values(protocol, denominators, &places, memory, code);
        multiply_all(&places, code);
    } else {
        for (denominator, place) in denominators.iter().zip(&places) {
            value(protocol, denominator, memory, code);
            code.store(place.value, "v");
            code.store(place.inverse, "p");
            code.line("p := mulmod(p, v, r)");
        }
    }
    code.line("ok := and(iszero(iszero(p)), ok)");
    exponentiation(modexp, code);
    if is_long(protocol) {
        divide_all(&places, code);
    } else {
        for place in places.iter().rev() {
            code.store(place.inverse, product("p", load(place.inverse)));
            code.line(format!("p := {}", product("p", load(place.value))));
        }
    }
    denominators.iter().cloned().zip(places).collect()
}

/// Each value beside its inverse or, if there are loops, all values and then all inverses.
fn places(protocol: &Protocol, count: usize, memory: &mut Memory) -> Vec<Place> {
    if !is_long(protocol) {
        return (0..count)
            .map(|_| Place { value: memory.word(), inverse: memory.word() })
            .collect();
    }
    let (value, inverse) = (memory.take(WORD * count), memory.take(WORD * count));
    let place = |number| Place { value: value + WORD * number, inverse: inverse + WORD * number };
    (0..count).map(place).collect()
}

/// Writes all values: those of points, which come last, and of neighbouring rows by loops.
fn values(
    protocol: &Protocol,
    denominators: &[Denominator],
    places: &[Place],
    memory: &mut Memory,
    code: &mut Code,
) {
    code.line(format!("let omega := {}", constant(&protocol.omega(1))));
    if let Some(place) = memory.omega {
        code.store(place, "omega");
    }
    let mut number = 0;
    while number < denominators.len() {
        let place = places[number].value;
        let rest = &denominators[number..];
        let (rows, rotations) = (single_rows(rest), rotations(rest));
        if rows.len() > 1 {
            interpolate::rows(protocol, &rows, place, code);
            number += rows.len();
        } else if rotations.len() > 1 {
            interpolate::points(protocol, &rotations, place, code);
            number += rotations.len();
        } else {
            value(protocol, &denominators[number], memory, code);
            code.store(place, "v");
            number += 1;
        }
    }
}

/// The rows that a list of denominators begins with, one after the other.
fn single_rows(denominators: &[Denominator]) -> Vec<i32> {
    let mut rows: Vec<i32> = vec![];
    for denominator in denominators {
        match denominator {
            Denominator::Rows(row) if row.len() == 1 => match rows.last() {
                Some(last) if row[0] != last + 1 => break,
                _ => rows.push(row[0]),
            },
            _ => break,
        }
    }
    rows
}

/// The rotations that a list of denominators begins with.
fn rotations(denominators: &[Denominator]) -> Vec<i32> {
    let rotation = |denominator: &Denominator| match denominator {
        Denominator::Point(rotation) => Some(*rotation),
        _ => None,
    };
    denominators.iter().map_while(rotation).collect()
}

/// Writes beside each value the product of those before it.
fn multiply_all(places: &[Place], code: &mut Code) {
    let [first, .., last] = places else { return };
    let [from, to] = [first, last].map(|place| hex(place.value));
    let apart = hex(first.inverse - first.value);
    let head = format!("for {{ let i := {from} }} iszero(gt(i, {to})) {{ i := add(i, 0x20) }}");
    code.block(&head, |code| {
        code.line(format!("mstore(add(i, {apart}), p)"));
        code.line("p := mulmod(p, mload(i), r)");
    });
}

/// Turns p, the inverse of the product of all, into those of the values.
fn divide_all(places: &[Place], code: &mut Code) {
    let [first, .., last] = places else { return };
    let [from, to] = [last, first].map(|place| hex(place.value));
    let apart = hex(first.inverse - first.value);
    let head = format!("for {{ let i := {from} }} iszero(lt(i, {to})) {{ i := sub(i, 0x20) }}");
    code.block(&head, |code| {
        code.line(format!("let entry := add(i, {apart})"));
        code.line("mstore(entry, mulmod(p, mload(entry), r))");
        code.line("p := mulmod(p, mload(i), r)");
    });
}

fn value(protocol: &Protocol, denominator: &Denominator, memory: &mut Memory, code: &mut Code) {
    let minus_one = constant(&-Fr::ONE);
    match denominator {
        Denominator::Vanishing => {
            code.line(format!("v := addmod({}, {minus_one}, r)", load(memory.x_n)));
        }
        Denominator::X => code.line("v := x"),
        Denominator::Rows(rows) => {
            let roots: Vec<_> = rows.iter().map(|row| protocol.omega(*row)).collect();
            horner(&monic(&roots), code);
        }
        Denominator::Inputs(rotation) => inputs::fraction(protocol, *rotation, memory, code),
        Denominator::Point(0) => code.line("v := addmod(u, sub(r, x), r)"),
        Denominator::Point(rotation) => {
            let factor = constant(&-protocol.omega(*rotation));
            code.line(format!("v := addmod(u, {}, r)", product("x", factor)));
        }
    }
}

/// Evaluates a polynomial at x, the coefficients given from the constant up.
pub(super) fn horner(coefficients: &[Fr], code: &mut Code) {
    let mut falling = coefficients.iter().rev();
    let Some(first) = falling.next() else { return };
    let mut second = falling.next();
    match (*first == Fr::ONE, second) {
        (true, Some(next)) => {
            code.line(format!("v := add(x, {})", constant(next)));
            second = falling.next();
        }
        _ => code.line(format!("v := {}", constant(first))),
    }
    for next in second.into_iter().chain(falling) {
        code.line(format!("v := add({}, {})", product("v", "x"), constant(next)));
    }
}

/// The coefficients of the product of X − root.
pub(super) fn monic(roots: &[Fr]) -> Vec<Fr> {
    roots.iter().fold(vec![Fr::ONE], |polynomial, root| {
        let mut next = vec![Fr::ZERO; polynomial.len() + 1];
        for (power, coefficient) in polynomial.iter().enumerate() {
            next[power + 1] += coefficient;
            next[power] -= *root * coefficient;
        }
        next
    })
}

/// p becomes its inverse: p^(r − 2).
fn exponentiation(place: usize, code: &mut Code) {
    let word = |number: usize| place + WORD * number;
    code.remark("The inverse of the product is its power of r - 2.");
    (0..3).for_each(|number| code.store(word(number), hex(WORD)));
    let base = word(3);
    code.store(base, "p");
    code.store(word(4), "sub(r, 2)");
    code.store(word(5), "r");
    let (place, input, word) = (hex(place), hex(6 * WORD), hex(WORD));
    code.line(format!("ok := and(staticcall({GAS}, 5, {place}, {input}, 0x00, {word}), ok)"));
    code.line("p := mload(0x00)");
    // A call that succeeds and returns nothing, as where there is no precompile, leaves what was there.
    code.remark("It is what it should be, whatever was called.");
    let inverse = product("p", load(base));
    code.line(format!("ok := and(eq({inverse}, 1), ok)"));
    code.remark("One by one.");
}
