//! Hashes to curves in circuit.

mod digests;
mod expansions;
mod g2;
mod prime;
mod stages;
mod sums;
mod texts;
mod whole;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Mutex,
};

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr, utils::biguint_to_fe, AssignedValue, Context,
};
use muster_testing::sampled;
use num_bigint::BigUint;

use super::*;
use crate::field::foreign::{
    integer::element,
    script::{Script, Var},
};
use muster_forgery::testing::{layout, TestCircuit, SHA256_GATE};
use muster_gates::{
    foreign::{Equation, ForeignLayout},
    Layout,
};
use muster_schemes::hash::to_curve::Tag;

/// The code that relations are asked for by.
const FILES: &str = "hash/to_curve/";

/// Room for hashes and relations with lookups of 12 bits.
fn room(k: u32, equations: &[Equation]) -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = match equations {
        [] => vec![],
        _ => vec![ForeignLayout::new(&native, 12, 4, equations)],
    };
    let layout = layout(k, &[]);
    Layout {
        range_bits: 12,
        edwards_lanes: 0,
        vertical_columns: 3,
        constant_rows: 512,
        sha256: Some(SHA256_GATE),
        foreign,
        ..layout
    }
}

/// Room for a script about so many elements. Scripts of one name are the same.
fn room_for(
    name: &str,
    prime: &BigUint,
    given: usize,
    write: impl FnOnce(&mut Script, &[Var]),
) -> Layout {
    static KNOWN: Mutex<BTreeMap<String, Layout>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().expect("no thread panics while it holds the lock");
    let found = known().get(name).cloned();
    found.unwrap_or_else(|| {
        let mut script = Script::of_equations(prime);
        let given: Vec<_> = (0..given).map(|_| script.unknown()).collect();
        write(&mut script, &given);
        let mut equations = script.equations().to_vec();
        equations.push(Equation::free());
        let rows = |layout: &Layout| layout.blocks()[0].rows() * (equations.len() + 16);
        let layout = Layout { sha256: None, vertical_columns: 1, ..room(13, &equations) };
        let layout = if rows(&layout) < 1 << 13 { layout } else { Layout { k: 14, ..layout } };
        known().insert(name.to_owned(), layout.clone());
        layout
    })
}

/// The halves of a message.
fn halves(message: &[u8]) -> Vec<Fr> {
    let half = |bytes: &[u8]| {
        let number = BigUint::from_bytes_be(bytes) << (8 * (16 - bytes.len()));
        biguint_to_fe(&number)
    };
    message.chunks(16).map(half).collect()
}

fn message(ctx: &mut Context<Fr>, bytes: &[u8]) -> FixedMessage {
    let halves: Vec<AssignedValue<Fr>> = ctx.assign_witnesses(halves(bytes));
    FixedMessage::new(&halves, bytes.len())
}

fn tag(name: &str) -> Tag<'_> {
    Tag::new(name.as_bytes()).expect("a tag")
}

/// A result that is another one, by the number of its relation.
type Lie = (usize, BigUint);

/// A script with lies in it.
struct Lied {
    test: TestCircuit,
    /// All results.
    results: Vec<BigUint>,
    /// Relations that bind nothing.
    free: BTreeSet<usize>,
    /// Relations before the script, and rows of each.
    before: usize,
    rows: usize,
}

impl Lied {
    fn new(
        layout: &Layout,
        prime: &BigUint,
        given: &[BigUint],
        lies: &[Lie],
        write: impl FnOnce(&mut Script, &[Var]),
    ) -> Self {
        let (mut results, mut free, mut before, mut rows) = (vec![], BTreeSet::new(), 0, 0);
        let test = TestCircuit::new(layout.clone(), |ctx| {
            let chip = ctx.chips.foreign();
            // The mock prover cannot show a failure whose queries reach above the first row.
            (0..6).for_each(|_| drop(element(chip, &BigUint::ZERO)));
            let given: Vec<_> = given.iter().map(|number| element(chip, number)).collect();
            (before, rows) = (chip.count(), chip.block().rows());
            let mut script = Script::new(chip, prime).lying(lies);
            let given: Vec<_> = given.iter().map(|element| script.given(element)).collect();
            write(&mut script, &given);
            results = script.results();
            let equations = script.equations().iter().enumerate();
            free = equations.filter(|(_, one)| **one == Equation::free()).map(|(i, _)| i).collect();
        });
        Self { test, results, free, before, rows }
    }

    /// The relations of the script that do not hold.
    ///
    /// # Panics
    /// If something else does not.
    fn refused(&self) -> BTreeSet<usize> {
        let rows = self.test.rows_of_false_relations().expect("relations alone fail");
        rows.into_iter().map(|row| row / self.rows - self.before).collect()
    }
}

/// Asserts that each relation is the only one to refuse some of the lies: another number for each result, with all that
/// follows from it, and `more`. A run asks about a [sample](sampled) of the relations.
fn assert_all_refuse(build: impl Fn(&[Lie]) -> Lied, prime: &BigUint, more: &[Vec<Lie>]) {
    assert_these_refuse(0..build(&[]).results.len(), build, prime, more);
}

/// The same of these relations.
fn assert_these_refuse(
    these: Range<usize>,
    build: impl Fn(&[Lie]) -> Lied,
    prime: &BigUint,
    more: &[Vec<Lie>],
) {
    let honest = build(&[]);
    honest.test.assert_satisfied();
    let asked: BTreeSet<usize> = sampled(these.clone(), 12).into_iter().collect();
    let (first, others): (Vec<_>, Vec<_>) =
        these.partition(|relation: &usize| asked.contains(relation));
    // Who does not refuse lies about its own result may refuse others.
    let mut open: BTreeSet<_> = asked.difference(&honest.free).copied().collect();
    let ask = |open: &mut BTreeSet<usize>, lies: &[Lie]| {
        let refused = build(lies).refused();
        if refused.len() == 1 {
            open.retain(|relation| !refused.contains(relation));
        }
        refused
    };
    let ask_about = |open: &mut BTreeSet<usize>, relation: usize, patience: usize| {
        // A root is wanted of half of all numbers alone, and half of all numbers are even. Lies that the same relations
        // refuse many times in a row are refused by them whatever the number.
        let mut before = (BTreeSet::new(), 0);
        for change in 1u8..40 {
            let lie = (&honest.results[relation] + change) % prime;
            let refused = ask(open, &[(relation, lie)]);
            let times = if refused == before.0 { before.1 + 1 } else { 1 };
            let is_told = refused.is_empty()
                || refused == BTreeSet::from([relation])
                || refused.len() == 1 && honest.free.contains(&relation);
            if is_told || times == patience {
                break;
            }
            before = (refused, times);
        }
    };
    first.into_iter().for_each(|relation| ask_about(&mut open, relation, 8));
    // Mostly a relation refuses lies about its own result.
    let (near, far): (Vec<_>, Vec<_>) =
        more.iter().partition(|lies| lies.iter().any(|(relation, _)| open.contains(relation)));
    for lies in near.into_iter().chain(far) {
        if !open.is_empty() {
            ask(&mut open, lies);
        }
    }
    for relation in others {
        if open.is_empty() {
            break;
        }
        ask_about(&mut open, relation, 8);
    }
    // One in 256 lies about a relation that refuses half of its numbers alone is refused by others eight times in a row.
    for relation in open.clone() {
        ask_about(&mut open, relation, 40);
    }
    assert_eq!(open, BTreeSet::new(), "these refuse nothing alone");
}
