//! Openings at many rotations, by loops over a table: for protocols whose code would not fit a
//! contract if each evaluation had a line of its own.
//!
//! For a set that is opened at several rotations, the table has a word for each of them, its
//! barycentric weight, and after these the places of values: for each rotation 2 bytes for the place
//! in memory of the inverse of u − x·ω^rotation, and 2 bytes for the place in calldata of each
//! evaluation, the last polynomial first.

use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;

use super::{
    super::{
        code::{constant, hex, load, product, Code},
        memory::Memory,
        protocol::{OpeningSet, Protocol, Query, WORD},
    },
    denominator::{Denominator, Inverses},
    scalars::weight,
    sets,
    size::{has_many, is_long},
};

/// Rotations that a word holds, a bit for each.
const SPAN: i32 = 256;
/// Bytes of a place.
const PLACE: usize = 2;

/// Whether the table has the set: its evaluations all lie in calldata.
pub(super) fn is_in_table(protocol: &Protocol, set: &OpeningSet) -> bool {
    is_long(protocol) && set.rotations.len() > 1 && evaluations(protocol, set).is_some()
}

/// Places of the evaluations, by rotations.
fn evaluations(protocol: &Protocol, set: &OpeningSet) -> Option<Vec<Vec<usize>>> {
    let at = |rotation: &i32| {
        let polys = set.polys.iter().rev();
        polys.map(|poly| protocol.evaluation(Query { poly: *poly, rotation: *rotation })).collect()
    };
    set.rotations.iter().map(at).collect()
}

/// Bytes of the table, whole words.
fn length(protocol: &Protocol) -> usize {
    sizes(protocol).sum::<usize>().next_multiple_of(WORD)
}

fn sizes(protocol: &Protocol) -> impl Iterator<Item = usize> + '_ {
    protocol.sets.iter().map(|set| {
        if is_in_table(protocol, set) {
            set.rotations.len() * (WORD + PLACE * (1 + set.polys.len()))
        } else {
            0
        }
    })
}

/// Where a set begins in the table.
fn offset(protocol: &Protocol, number: usize) -> usize {
    sizes(protocol).take(number).sum()
}

/// The table, if its places fit in 2 bytes. They are known once all inverses have theirs.
pub(super) fn table(protocol: &Protocol, inverses: &Inverses) -> Option<Vec<u8>> {
    let mut table = vec![];
    for set in protocol.sets.iter().filter(|set| is_in_table(protocol, set)) {
        for number in 0..set.rotations.len() {
            table.extend(weight(protocol, set, number).to_repr().iter().rev());
        }
        let evaluations = evaluations(protocol, set).unwrap_or_default();
        for (rotation, evaluations) in set.rotations.iter().zip(evaluations) {
            let inverse = inverses[&Denominator::Point(*rotation)].inverse;
            let places = [inverse].into_iter().chain(evaluations);
            for place in places {
                table.extend(u16::try_from(place).ok()?.to_be_bytes());
            }
        }
    }
    table.resize(length(protocol), 0);
    Some(table)
}

/// The function that runs over a set's part of the table. It returns the combined evaluations,
/// interpolated at u up to a factor, and the inverse of Z.
pub(super) fn function(code: &mut Code) {
    code.remark("Interpolates the evaluations of a set with that many rotations and polynomials.");
    code.block("function interpolate(weight, rotations, polys, base, q) -> part, z", |code| {
        code.line("z := 1");
        code.line("let place := add(weight, mul(0x20, rotations))");
        code.block("for { let end := place } lt(weight, end) { weight := add(weight, 0x20) }", |code| {
            code.line("let inverse := mload(shr(240, mload(place)))");
            code.line("place := add(place, 2)");
            code.line("let e := 0");
            let next = "let limit := add(place, mul(2, polys))";
            code.block(&format!("for {{ {next} }} lt(place, limit) {{ place := add(place, 2) }}"), |code| {
                code.line("e := addmod(mulmod(e, base, q), calldataload(shr(240, mload(place))), q)");
            });
            code.line("part := addmod(part, mulmod(mulmod(e, inverse, q), mload(weight), q), q)");
            code.line("z := mulmod(z, inverse, q)");
        });
    });
}

/// Calls it for a set; the results are in part and e.
pub(super) fn call(protocol: &Protocol, table: usize, number: usize, code: &mut Code) {
    let set = &protocol.sets[number];
    let weights = hex(table + offset(protocol, number));
    let (rotations, polys) = (set.rotations.len(), set.polys.len());
    code.line(format!("part, e := interpolate({weights}, {rotations}, {polys}, mu, r)"));
}

/// Writes u − x·ω^rotation for rising rotations, one word after the other from `place` on.
pub(super) fn points(protocol: &Protocol, rotations: &[i32], place: usize, code: &mut Code) {
    code.line(format!("let place := {}", hex(place)));
    let many = has_many(protocol);
    if many {
        sets::points(code);
    } else {
        code.line("let w");
    }
    let mut rest = rotations;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|rotation| **rotation - first < SPAN).count();
        let (these, others) = rest.split_at(count);
        rest = others;
        let last = these[count - 1];
        code.remark(format!(
            "u - x w^i for {count} rotations i from {first} to {last}: the bits of a word."
        ));
        let start = constant(&protocol.omega(*first));
        if many {
            code.line(format!("place := points(place, {start}, {}, x, u, omega, r)", map(these)));
            continue;
        }
        code.line(format!("w := {}", product("x", start)));
        let step = format!("map := shr(1, map) w := {}", product("w", "omega"));
        let head = format!("for {{ let map := {} }} map {{ {step} }}", map(these));
        code.block(&head, |code| {
            code.block("if and(map, 1)", |code| {
                code.line("mstore(place, addmod(u, sub(r, w), r))");
                code.line("place := add(place, 0x20)");
            });
        });
    }
}

/// Rising rotations as the bits of a word, the first one's the lowest.
fn map(rotations: &[i32]) -> String {
    let mut bytes = [0u8; WORD];
    for rotation in rotations {
        let bit = (rotation - rotations[0]) as usize;
        bytes[WORD - 1 - bit / 8] |= 1 << (bit % 8);
    }
    let digits = hex::encode(bytes);
    let digits = digits.trim_start_matches('0');
    let zero = if digits.len() % 2 == 1 { "0" } else { "" };
    format!("0x{zero}{digits}")
}

/// Takes room for the table.
pub(super) fn place(protocol: &Protocol, memory: &mut Memory) -> Option<usize> {
    let length = if has_many(protocol) { sets::length(protocol) } else { length(protocol) };
    // A literal has a word with its length before it.
    (length > 0).then(|| memory.take(WORD + length) + WORD)
}

/// Whether the Lagrange polynomials of rows are summed up by a loop.
pub(super) fn are_looped(protocol: &Protocol, rows: &[i32]) -> bool {
    is_long(protocol) && rows.len() > 3 && rows.windows(2).all(|pair| pair[0] + 1 == pair[1])
}

/// Writes x − ω^row for neighbouring rows, one word after the other from `place` on.
pub(super) fn rows(protocol: &Protocol, rows: &[i32], place: usize, code: &mut Code) {
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    code.remark(format!("x - w^i for the rows i from {first} to {last}."));
    code.block("", |code| {
        code.line(format!("let w := {}", constant(&protocol.omega(first))));
        code.block(&each(place, rows.len()), |code| {
            code.line("mstore(i, addmod(x, sub(r, w), r))");
            code.line(format!("w := {}", product("w", "omega")));
        });
    });
}

/// v becomes the sum of ω^row / (x − ω^row) over neighbouring rows.
pub(super) fn lagrange(
    protocol: &Protocol,
    rows: &[i32],
    inverses: &Inverses,
    memory: &Memory,
    code: &mut Code,
) {
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    let place = inverses[&Denominator::Rows(vec![first])].inverse;
    code.remark(format!("Rows {first} to {last}, together."));
    code.line("v := 0");
    code.block("", |code| {
        let omega = memory.omega.map_or_else(|| constant(&protocol.omega(1)), load);
        code.line(format!("let omega := {omega}"));
        code.line(format!("let w := {}", constant(&protocol.omega(first))));
        code.block(&each(place, rows.len()), |code| {
            code.line("v := addmod(v, mulmod(w, mload(i), r), r)");
            code.line(format!("w := {}", product("w", "omega")));
        });
    });
}

/// The head of a loop over words.
fn each(place: usize, count: usize) -> String {
    let [from, to] = [place, place + WORD * count].map(hex);
    format!("for {{ let i := {from} }} lt(i, {to}) {{ i := add(i, 0x20) }}")
}
