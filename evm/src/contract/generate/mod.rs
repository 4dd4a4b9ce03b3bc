//! The source of a contract.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{G1Affine, G2Affine},
    ff::PrimeField,
};

use super::{
    code::{hex, Code},
    emit::Emitter,
    graph::{Graph, Leaf},
    group::{self, Group},
    memory::Memory,
    part::Part,
    protocol::Protocol,
};

mod data;
mod denominator;
mod inputs;
mod interpolate;
mod inverses;
mod msm;
mod numerator;
mod opening;
mod parts;
mod points;
mod quotient;
mod scalars;
mod sets;
mod size;
mod transcript;

use data::Data;
use denominator::Denominator;
#[cfg(test)]
pub(super) use inputs::MOST_ADDED;
#[cfg(test)]
pub(super) use size::{estimate, WHOLE};

/// What a contract consists of.
pub(super) struct Body {
    /// Makes the contract of the data, if they are many.
    pub(super) constructor: Option<String>,
    /// The statements of the fallback function: the verifier.
    pub(super) fallback: String,
    /// Contracts that evaluate the constraints, if there is no room for these.
    pub(super) parts: Vec<Part>,
}

/// The verifier; `None` if its memory is too long for the places in its table, or if a contract has no room for the
/// data or for one of the constraints.
pub(super) fn body(protocol: &Protocol, g2: &[G2Affine; 2]) -> Option<Body> {
    let mut graph = Graph::default();
    let groups = group::group(&mut graph, &protocol.constraints);
    let leaves = leaves(protocol, &graph, &groups);
    let whole = written(protocol, g2, &graph, &groups, &leaves, vec![])?;
    if size::estimate(&whole.fallback) <= size::WHOLE {
        return Some(whole);
    }
    let parts = parts::split(protocol, &graph, &groups, &leaves)?;
    written(protocol, g2, &graph, &groups, &leaves, parts)
}

/// The verifier with these parts.
fn written(
    protocol: &Protocol,
    g2: &[G2Affine; 2],
    graph: &Graph,
    groups: &[Group],
    leaves: &[Leaf],
    parts: Vec<Part>,
) -> Option<Body> {
    let denominators = denominators(protocol, leaves);
    let mut memory = Memory::new(protocol);
    let table = interpolate::place(protocol, &mut memory);
    let mut inverses = Default::default();
    let (mut places, mut long) = (None, vec![]);
    let mut code = Code::at(2);
    code.block("assembly", |code| {
        code.remark("Memory: a point and its factor at 0x00, the sum of commitments at 0x80,");
        code.remark(format!(
            "challenges from {}, commitments from {}, everything else behind them.",
            hex(memory.challenges()[0]),
            hex(memory.points[0])
        ));
        code.line("");
        code.remark("The order of the group; scalars are below it.");
        code.line(format!("let r := {}", msm::modulus()));
        code.remark("Whether nothing was wrong so far.");
        code.line(format!("let ok := eq(calldatasize(), {})", hex(protocol.calldata())));
        if table.is_some() {
            code.line("");
            if size::has_many(protocol) {
                sets::interpolation(code);
                sets::folding(code);
            } else {
                interpolate::function(code);
            }
        }
        code.section("Scalars are canonical; points are checked where they are used.", |code| {
            transcript::check_scalars(protocol, code);
            refuse(code);
        });
        code.section("Transcript", |code| transcript::challenges(protocol, &memory, code));
        code.section("Inverses", |code| {
            inverses = inverses::invert(protocol, &denominators, &mut memory, code);
        });
        code.section("Lagrange polynomials and public inputs at x", |code| {
            quotient::common(protocol, leaves, &inverses, &mut memory, code);
        });
        code.section("Constraints at x", |code| {
            if !parts.is_empty() {
                parts::call(protocol, leaves, &parts, &mut memory, code);
                return numerator::finish(protocol, groups, &inverses, &mut memory, code);
            }
            let numbers = table.filter(|_| size::has_many(protocol));
            let numbers = numbers.map(|table| sets::numbers_behind(protocol, table));
            long = numerator::numerator(
                protocol,
                graph,
                groups,
                &inverses,
                numbers,
                &mut memory,
                code,
            );
        });
        let mut scalars = None;
        code.section("Openings (SHPLONK): scalars", |code| {
            let found = opening::scalars(protocol, &inverses, table, &mut memory, code);
            scalars = Some(found.0);
            places = found.1;
        });
        code.section("Openings: commitments of the proof, by sets", |code| {
            msm::check_others(protocol, code);
            msm::gather(protocol, table, &memory, code);
            msm::fold_quotient(protocol, &memory, code);
        });
        code.section(
            "Openings: multi-scalar multiplication; calls run from the inside out",
            |code| {
                if let Some(scalars) = &scalars {
                    msm::sum(protocol, scalars, table, &memory, code);
                }
                refuse(code);
            },
        );
        code.section("Pairing", |code| {
            msm::pairing(protocol, g2, &mut memory, code);
            refuse(code);
        });
        code.line("");
        code.store(0, "1");
        code.line("return(0x00, 0x20)");
    });
    let table = match table {
        Some(place) => Some(match &places {
            Some(places) => (place, sets::table(protocol, &inverses, places, &memory, &long)?),
            None => (place, interpolate::table(protocol, &inverses)?),
        }),
        None => None,
    };
    let mut data = Data::default();
    for run in msm::key_runs(protocol, &memory) {
        let remark = "Commitments of the verifying key, copied to where they are needed.";
        data.add("points", remark, run.place, run.points.iter().flat_map(coordinates).collect());
    }
    if let Some((place, bytes)) = table {
        let remark = "Weights of interpolation, and where evaluations and inverses lie.";
        data.add("table", remark, place, bytes);
    }
    let mut before = Code::at(2);
    data.load(&mut before);
    let constructor = data.constructor(&parts);
    let fallback = before.text() + &code.text();
    data.fits().then_some(Body { constructor, fallback, parts })
}

fn refuse(code: &mut Code) {
    code.line("if iszero(ok) { revert(0, 0) }");
}

/// All leaves that must be computed.
fn leaves(protocol: &Protocol, graph: &Graph, groups: &[Group]) -> Vec<Leaf> {
    let mut leaves = Emitter::new(protocol, graph, group::roots(groups)).leaves();
    let rotations = inputs::rotations(protocol, &leaves).into_iter();
    let rows = rotations.flat_map(|rotation| inputs::rows(protocol, rotation));
    leaves.extend(rows.map(|row| Leaf::Lagrange(vec![row])));
    leaves.sort();
    leaves.dedup();
    leaves
}

fn denominators(protocol: &Protocol, leaves: &[Leaf]) -> Vec<Denominator> {
    let rows = leaves.iter().filter_map(|leaf| match leaf {
        Leaf::Lagrange(rows) => Some(rows),
        _ => None,
    });
    let rows = rows.flat_map(|rows| {
        if interpolate::are_looped(protocol, rows) {
            rows.iter().map(|row| Denominator::Rows(vec![*row])).collect()
        } else {
            vec![Denominator::Rows(rows.clone())]
        }
    });
    let looped = inputs::are_looped(protocol);
    let inputs = inputs::rotations(protocol, leaves).into_iter().filter(|_| looped);
    let inputs = inputs.map(Denominator::Inputs);
    let several = protocol.sets.iter().any(|set| set.rotations.len() > 1);
    let x = several.then_some(Denominator::X);
    let points = protocol.rotations().into_iter().map(Denominator::Point);
    [Denominator::Vanishing].into_iter().chain(x).chain(rows).chain(inputs).chain(points).collect()
}

/// Coordinates as words; those of the identity are zero for the precompiles as well.
fn coordinates(point: &G1Affine) -> Vec<u8> {
    [point.x, point.y]
        .iter()
        .flat_map(|coordinate| coordinate.to_repr().into_iter().rev())
        .collect()
}
