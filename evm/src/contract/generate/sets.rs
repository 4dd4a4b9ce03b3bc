//! Openings of many commitments: loops over the sets, for protocols that even without a line for
//! each evaluation would not fit a contract.
//!
//! The sets are in the table from the last one to the first, each with a head of five numbers of 2
//! bytes: the length of its weights, the length of a rotation's places of evaluations, and the places
//! of the value that its polynomials' evaluations are added to, of its power of 1/x, and of its first
//! commitment. The weights and the places follow, as in [`interpolate`](super::interpolate).

use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;

use super::{
    super::{
        code::{calldata, hex as place_of, load, product, Code},
        graph::Leaf,
        memory::{Memory, FACTOR_OF, SUM},
        protocol::{OpeningSet, Protocol, Query, POINT, WORD},
        rounds::WIDEST,
    },
    denominator::{Denominator, Inverses},
    points::{add_to, copies, multiply_to, Copied},
    scalars::{weight, Scalars},
};

/// Room after the table for a matrix and other long numbers of constraints.
pub(super) const NUMBERS: usize = WIDEST * WIDEST + 24;
/// Bytes of a number in the table.
const NUMBER: usize = 2;
/// Numbers of a copy: to where, from where, how many bytes.
const COPY: usize = 3;
/// Numbers of a head.
const HEAD: usize = 5;
/// A word that is zero in all contracts until points are multiplied.
const ZERO: usize = 0x60;

/// Bytes of the table, whole words, and of the long numbers after it.
pub(super) fn length(protocol: &Protocol) -> usize {
    own_length(protocol) + WORD * NUMBERS
}

/// Where the long numbers lie.
pub(super) fn numbers_behind(protocol: &Protocol, table: usize) -> usize {
    table + own_length(protocol)
}

fn own_length(protocol: &Protocol) -> usize {
    (used(protocol) + NUMBER * COPY * copies(protocol, None).len()).next_multiple_of(WORD)
}

/// Bytes of the sets.
fn used(protocol: &Protocol) -> usize {
    let size = |set: &OpeningSet| {
        let polys = tail(protocol, set).unwrap_or(set.polys.len());
        NUMBER * HEAD + set.rotations.len() * (WORD + NUMBER * (1 + polys))
    };
    protocol.sets.iter().map(size).sum::<usize>()
}

/// Place in the set of a polynomial whose evaluation the proof does not have: the quotient.
fn tail(protocol: &Protocol, set: &OpeningSet) -> Option<usize> {
    set.polys.iter().position(|poly| *poly == protocol.quotient().poly)
}

/// The places of values that the table points to.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The first value of each set's sums.
    first: Vec<usize>,
    /// The power of 1/x of each set.
    power: Vec<usize>,
}

/// The table, if places fit in 2 bytes.
pub(super) fn table(
    protocol: &Protocol,
    inverses: &Inverses,
    places: &Places,
    memory: &Memory,
    long: &[String],
) -> Option<Vec<u8>> {
    let mut table = vec![];
    for (number, set) in protocol.sets.iter().enumerate().rev() {
        let polys = &set.polys[..tail(protocol, set).unwrap_or(set.polys.len())];
        let head = [
            WORD * set.rotations.len(),
            NUMBER * polys.len(),
            places.first[number],
            places.power[number],
            memory.points[number],
        ];
        numbers(&mut table, head)?;
        for number in 0..set.rotations.len() {
            table.extend(weight(protocol, set, number).to_repr().iter().rev());
        }
        for rotation in &set.rotations {
            let polys = polys.iter().rev();
            let evaluations =
                polys.map(|poly| protocol.evaluation(Query { poly: *poly, rotation: *rotation }));
            let evaluations: Option<Vec<_>> = evaluations.collect();
            numbers(&mut table, [inverses[&Denominator::Point(*rotation)].inverse])?;
            numbers(&mut table, evaluations?)?;
        }
    }
    for Copied { to, from, bytes } in copies(protocol, Some(memory)) {
        numbers(&mut table, [to, from, bytes])?;
    }
    table.resize(own_length(protocol), 0);
    for digits in long {
        let digits = digits.trim_start_matches("0x");
        table.extend(hex::decode(format!("{digits:0>64}")).ok()?);
    }
    Some(table)
}

fn numbers(table: &mut Vec<u8>, numbers: impl IntoIterator<Item = usize>) -> Option<()> {
    for number in numbers {
        table.extend(u16::try_from(number).ok()?.to_be_bytes());
    }
    Some(())
}

/// The function that runs over a set's part of the table. It returns the combined evaluations,
/// interpolated at u, times the power of 1/x, the inverse of Z, and where the next set begins.
pub(super) fn interpolation(code: &mut Code) {
    code.remark("Interpolates the evaluations of a set.");
    code.block("function interpolate(at, base, q) -> part, z, next", |code| {
        code.line("let head := mload(at)");
        code.line("let length := and(shr(224, head), 0xffff)");
        code.line("let first := mload(and(shr(208, head), 0xffff))");
        code.line(format!("at := add(at, {})", NUMBER * HEAD));
        code.line("z := 1");
        code.line("next := add(at, shr(240, head))");
        code.block("for { let end := next } lt(at, end) { at := add(at, 0x20) }", |code| {
            code.line("let inverse := mload(shr(240, mload(next)))");
            code.line("next := add(next, 2)");
            code.line("let e := first");
            let limit = "let limit := add(next, length)";
            code.block(
                &format!("for {{ {limit} }} lt(next, limit) {{ next := add(next, 2) }}"),
                |code| {
                    code.line(
                        "e := addmod(mulmod(e, base, q), calldataload(shr(240, mload(next))), q)",
                    );
                },
            );
            code.line("part := addmod(part, mulmod(mulmod(e, inverse, q), mload(at), q), q)");
            code.line("z := mulmod(z, inverse, q)");
        });
        code.line("part := mulmod(part, mload(and(shr(192, head), 0xffff)), q)");
    });
}

/// What the evaluations of a set are added to: zero, or those from the quotient's on.
fn first(protocol: &Protocol, set: &OpeningSet, memory: &mut Memory, code: &mut Code) -> usize {
    let Some(tail) = tail(protocol, set) else { return ZERO };
    for (place, poly) in set.polys[tail..].iter().rev().enumerate() {
        let query = Query { poly: *poly, rotation: set.rotations[0] };
        let value = match protocol.evaluation(query) {
            Some(place) => calldata(place),
            None => load(memory.leaf(&Leaf::Evaluation(query))),
        };
        code.line(match place {
            0 => format!("e := {value}"),
            _ => format!("e := addmod({}, {value}, r)", product("e", "mu")),
        });
    }
    let place = memory.word();
    code.store(place, "e");
    place
}

/// The function that writes u − x·ω^rotation for the rotations that are the bits of a word.
pub(super) fn points(code: &mut Code) {
    code.block("function points(at, power, bits, base, minuend, step, q) -> next", |code| {
        code.line("power := mulmod(power, base, q)");
        let further = "bits := shr(1, bits) power := mulmod(power, step, q)";
        code.block(&format!("for {{}} bits {{ {further} }}"), |code| {
            code.block("if and(bits, 1)", |code| {
                code.line("mstore(at, addmod(minuend, sub(q, power), q))");
                code.line("at := add(at, 0x20)");
            });
        });
        code.line("next := at");
    });
}

/// Evaluates the Lagrange polynomials of the first rows, with the factor f; returns their number, which
/// is zero if they or their inverses are not consecutive.
pub(super) fn first_rows(
    leaves: &[Leaf],
    inverses: &Inverses,
    omega: usize,
    memory: &mut Memory,
    code: &mut Code,
) -> i32 {
    let rows = (0..).take_while(|row| leaves.contains(&Leaf::Lagrange(vec![*row])));
    let rows: Vec<i32> = rows.collect();
    let places = |row: &i32| {
        let inverse = inverses[&Denominator::Rows(vec![*row])].inverse;
        (memory.leaf(&Leaf::Lagrange(vec![*row])), inverse)
    };
    let places: Vec<_> = rows.iter().map(places).collect();
    let follow =
        |pair: &[(usize, usize)]| pair[1].0 == pair[0].0 + WORD && pair[1].1 == pair[0].1 + WORD;
    let ([first, .., last], true) = (&places[..], places.windows(2).all(follow)) else { return 0 };
    let Some(apart) = first.0.checked_sub(first.1) else { return 0 };
    code.remark(format!("Rows 0 to {}, each.", rows.len() - 1));
    code.block("", |code| {
        code.line(format!("let w := f let omega := {}", load(omega)));
        let [from, to, apart] = [first.1, last.1, apart].map(place_of);
        let head = format!("for {{ let i := {from} }} iszero(gt(i, {to})) {{ i := add(i, 0x20) }}");
        code.block(&head, |code| {
            code.line(format!("mstore(add(i, {apart}), mulmod(w, mload(i), r))"));
            code.line("w := mulmod(w, omega, r)");
        });
    });
    rows.len() as i32
}

/// e becomes Z of the first set, whose part of the table is the last one.
pub(super) fn first_z(protocol: &Protocol, table: usize, apart: usize, code: &mut Code) {
    let set = &protocol.sets[0];
    let polys = tail(protocol, set).unwrap_or(set.polys.len());
    let step = NUMBER * (1 + polys);
    let end = table + used(protocol);
    let [from, to] = [end - step * set.rotations.len(), end].map(place_of);
    let head = format!("for {{ let i := {from} }} lt(i, {to}) {{ i := add(i, {step}) }}");
    code.block(&head, |code| {
        let value = format!("mload(sub(shr(240, mload(i)), {}))", place_of(apart));
        code.line(format!("e := {}", product("e", value)));
    });
}

/// Runs over all sets; writes the scalars and the factor with which the generator is subtracted.
/// `power` gives the place of a set's power of 1/x.
pub(super) fn scalars(
    protocol: &Protocol,
    table: usize,
    power: impl Fn(&OpeningSet) -> usize,
    (z_0, evaluation): (usize, usize),
    memory: &mut Memory,
    code: &mut Code,
) -> (Scalars, Places) {
    let first: Vec<_> =
        protocol.sets.iter().map(|set| first(protocol, set, memory, code)).collect();
    let count = protocol.sets.len();
    let place = memory.take(WORD * count);
    let [from, to] = [place + WORD * (count - 1), place].map(place_of);
    code.remark("From the last set to the first; 1/Z of each is kept.");
    code.line(format!("let at := {}", place_of(table)));
    let head = format!("for {{ let i := {from} }} iszero(lt(i, {to})) {{ i := sub(i, 0x20) }}");
    code.block(&head, |code| {
        code.line("part, e, at := interpolate(at, mu, r)");
        code.line("mstore(i, e)");
        code.line("all := add(part, mulmod(all, nu, r))");
    });
    code.store(evaluation, product("all", load(z_0)));
    code.remark("nu^set Z_0 / Z of the other sets.");
    code.line(format!("part := {}", load(z_0)));
    let [from, to] = [place + WORD, place + WORD * count].map(place_of);
    let head = format!("for {{ let i := {from} }} lt(i, {to}) {{ i := add(i, 0x20) }}");
    code.block(&head, |code| {
        code.line("part := mulmod(part, nu, r)");
        code.line("mstore(i, mulmod(part, mload(i), r))");
    });
    let factor = |number: usize| (number > 0).then_some(place + WORD * number);
    let scalars = Scalars { sets: (0..count).map(factor).collect(), z_0, evaluation };
    let power = protocol.sets.iter().map(power).collect();
    (scalars, Places { first, power })
}

/// Copies the points of the proof to their sets, as the table says after all sets.
pub(super) fn gather(protocol: &Protocol, table: usize, code: &mut Code) {
    let from = table + used(protocol);
    let to = from + NUMBER * COPY * copies(protocol, None).len();
    let [from, to] = [from, to].map(place_of);
    let head = format!("for {{ let i := {from} }} lt(i, {to}) {{ i := add(i, 6) }}");
    code.block(&head, |code| {
        code.line("let copy := shr(208, mload(i))");
        code.line("calldatacopy(shr(32, copy), and(shr(16, copy), 0xffff), and(copy, 0xffff))");
    });
}

/// The function that folds the points from one place down to another, into the point at zero.
pub(super) fn folding(code: &mut Code) {
    code.remark("Horner's rule over the points from the last down to the first.");
    code.block("function fold(last, first, mu) -> fine", |code| {
        code.line("fine := 1");
        code.line("mstore(0x00, mload(last))");
        code.line("mstore(0x20, mload(add(last, 0x20)))");
        code.store(FACTOR_OF, "mu");
        code.block("for {} gt(last, first) {}", |code| {
            code.line(format!("fine := and({}, fine)", multiply_to("last")));
            code.line("last := sub(last, 0x40)");
            code.line(format!("fine := and({}, fine)", add_to("last", "0x00")));
        });
    });
}

/// Sums all sets up at [`SUM`]: the points of all are consecutive, and the first set, whose factor is
/// one, comes last.
pub(super) fn sum(
    protocol: &Protocol,
    scalars: &Scalars,
    table: usize,
    memory: &Memory,
    code: &mut Code,
) {
    let factors: Vec<_> = scalars.sets.iter().flatten().collect();
    let last = protocol.sets.len() - 1;
    let end = memory.points[last] + POINT * (protocol.sets[last].polys.len() - 1);
    code.store(SUM, "0");
    code.store(SUM + WORD, "0");
    code.line(format!("let mu := {}", load(memory.mu)));
    code.line(format!("let last := {}", place_of(end)));
    code.line(format!("let at := {}", place_of(table)));
    let product = place_of(SUM + POINT);
    if let [first, .., last] | [first @ last] = factors[..] {
        let [from, to] = [*last, *first].map(place_of);
        let head = format!("for {{ let i := {from} }} iszero(lt(i, {to})) {{ i := sub(i, 0x20) }}");
        code.block(&head, |code| {
            code.line("let head := mload(at)");
            code.line("let first := and(shr(176, head), 0xffff)");
            code.line("ok := and(fold(last, first, mu), ok)");
            code.store(FACTOR_OF, "mload(i)");
            code.line(format!("ok := and({}, ok)", multiply_to(&product)));
            code.line(format!("ok := and({}, ok)", add_to(&place_of(SUM), &place_of(SUM))));
            code.line("last := sub(first, 0x40)");
            code.remark("The weights, and for each the places behind them.");
            code.line("let weights := shr(240, head)");
            code.line("let places := add(and(shr(224, head), 0xffff), 2)");
            code.line("at := add(at, add(10, add(weights, mul(shr(5, weights), places))))");
        });
    }
    code.line(format!("ok := and(fold(last, {}, mu), ok)", place_of(memory.points[0])));
    code.store(SUM + POINT, "mload(0x00)");
    code.store(SUM + POINT + WORD, "mload(0x20)");
    code.line(format!("ok := and({}, ok)", add_to(&place_of(SUM), &place_of(SUM))));
}
