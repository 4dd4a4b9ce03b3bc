//! SHPLONK (ePrint 2020/081, section 4): all openings become one.
//!
//! A set of polynomials is opened at the points x·ω^rotation of its rotations. With Z the product
//! of u − x·ω^rotation over a set, and Z₀ that of the first set, the opening holds if W′ opens
//!
//! ```text
//! Σ_sets ν^set · Z₀/Z_set · Σ_polys μ^poly · (commitment − [interpolated evaluation at u]) − Z₀·W
//! ```
//!
//! at u to zero. Interpolation takes barycentric weights; those of the rotations are constants, and x
//! and u enter through the inverses of x and of u − x·ω^rotation.

use std::collections::{BTreeSet, HashMap};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    super::{
        code::{calldata, constant, load, product, Code},
        emit::powers,
        graph::Leaf,
        memory::Memory,
        protocol::{OpeningSet, Protocol, Query},
    },
    denominator::{Denominator, Inverses},
    interpolate::{self, is_in_table},
    scalars::{weight, Scalars},
    sets::{self, Places},
    size::has_many,
};

/// Writes all scalars.
pub(super) fn scalars(
    protocol: &Protocol,
    inverses: &Inverses,
    table: Option<usize>,
    memory: &mut Memory,
    code: &mut Code,
) -> (Scalars, Option<Places>) {
    let (z_0, evaluation) = (memory.word(), memory.word());
    let mut writer = Writer { protocol, inverses, table, over_z: vec![], memory, code };
    let over_x = writer.powers_of_x();
    writer.code.remark("Z of the first set.");
    writer.code.line("let e := 1");
    if let Some(table) = table.filter(|_| has_many(protocol)) {
        let any = inverses[&Denominator::Point(protocol.sets[0].rotations[0])];
        sets::first_z(protocol, table, any.inverse - any.value, writer.code);
    } else {
        let first = protocol.sets[0].rotations.iter().map(|rotation| writer.value(*rotation));
        let first: Vec<_> = first.collect();
        writer.multiply(first);
    }
    writer.code.store(z_0, "e");
    for name in ["mu", "nu"] {
        let place = if name == "mu" { writer.memory.mu } else { writer.memory.nu };
        writer.code.line(format!("let {name} := {}", load(place)));
    }
    writer.code.line("let all");
    writer.code.line("let part");
    if let Some(table) = table.filter(|_| has_many(protocol)) {
        let power = |set: &OpeningSet| over_x[&(set.rotations.len() - 1)];
        let (scalars, places) =
            sets::scalars(protocol, table, power, (z_0, evaluation), memory, code);
        return (scalars, Some(places));
    }
    for (number, set) in protocol.sets.iter().enumerate().rev() {
        writer.code.remark(format!("Set {number}: {}.", describe(set)));
        writer.interpolate(number, set);
        let part = match set.rotations.len() - 1 {
            0 => "part".to_owned(),
            power => product("part", load(over_x[&power])),
        };
        writer.code.line(if number + 1 == protocol.sets.len() {
            format!("all := {part}")
        } else {
            format!("all := add({part}, {})", product("all", "nu"))
        });
    }
    writer.code.store(evaluation, product("all", load(z_0)));
    let sets = writer.factors(z_0);
    (Scalars { sets, z_0, evaluation }, None)
}

struct Writer<'a> {
    protocol: &'a Protocol,
    inverses: &'a Inverses,
    /// Where the table lies.
    table: Option<usize>,
    /// Numbers of sets, and where their 1/Z lies.
    over_z: Vec<(usize, usize)>,
    memory: &'a mut Memory,
    code: &'a mut Code,
}

impl Writer<'_> {
    /// u − x·ω^rotation.
    fn value(&self, rotation: i32) -> String {
        load(self.inverses[&Denominator::Point(rotation)].value)
    }

    /// Its inverse.
    fn inverse(&self, rotation: i32) -> String {
        load(self.inverses[&Denominator::Point(rotation)].inverse)
    }

    /// The powers of 1/x that interpolation takes: one less than a set's rotations.
    fn powers_of_x(&mut self) -> HashMap<usize, usize> {
        let sizes = self.protocol.sets.iter().map(|set| set.rotations.len() - 1);
        let exponents: BTreeSet<_> = sizes.filter(|power| *power > 0).collect();
        let Some(x) = self.inverses.get(&Denominator::X) else { return HashMap::new() };
        self.code.remark("Powers of 1/x.");
        let exponents: Vec<_> = exponents.into_iter().collect();
        let mut places = powers(self.code, self.memory, x.inverse, &exponents);
        if has_many(self.protocol) {
            let one = self.memory.word();
            self.code.store(one, "1");
            places.insert(0, one);
        }
        places
    }

    /// Multiplies e by values.
    fn multiply(&mut self, values: Vec<String>) {
        for value in values {
            self.code.line(format!("e := {}", product("e", value)));
        }
    }

    /// part becomes the set's combined evaluations, interpolated at u up to a factor.
    fn interpolate(&mut self, number: usize, set: &OpeningSet) {
        if let Some(table) = self.table.filter(|_| is_in_table(self.protocol, set)) {
            interpolate::call(self.protocol, table, number, self.code);
            let place = self.memory.word();
            self.code.store(place, "e");
            self.over_z.push((number, place));
            return;
        }
        for (place, rotation) in set.rotations.iter().enumerate() {
            self.combine(set, *rotation);
            let weight = match weight(self.protocol, set, place) {
                Fr::ONE => self.inverse(*rotation),
                weight => product(self.inverse(*rotation), constant(&weight)),
            };
            let next = product("e", weight);
            self.code.line(match place {
                0 => format!("part := {next}"),
                // A word holds five values below r.
                place if place % 4 == 0 => format!("part := addmod({next}, part, r)"),
                _ => format!("part := add({next}, part)"),
            });
        }
    }

    /// e becomes the sum of a set's evaluations at a rotation, weighted by rising powers of mu.
    fn combine(&mut self, set: &OpeningSet, rotation: i32) {
        for (place, poly) in set.polys.iter().rev().enumerate() {
            let query = Query { poly: *poly, rotation };
            let value = match self.protocol.evaluation(query) {
                Some(place) => calldata(place),
                None => load(self.memory.leaf(&Leaf::Evaluation(query))),
            };
            self.code.line(match place {
                0 => format!("e := {value}"),
                _ => format!("e := add({}, {value})", product("e", "mu")),
            });
        }
    }

    /// ν^set · Z₀/Z_set for each set but the first.
    fn factors(&mut self, z_0: usize) -> Vec<Option<usize>> {
        self.code.remark("nu^set Z_0 / Z of the other sets.");
        let (first, others) = self.protocol.sets.split_first().expect("something is opened");
        let mut factors = vec![None];
        if self.table.is_some() {
            self.code.line(format!("part := {}", load(z_0)));
        }
        for (number, set) in others.iter().enumerate() {
            self.code.line(match number {
                0 if self.table.is_none() => "part := nu".to_owned(),
                _ => format!("part := {}", product("part", "nu")),
            });
            let place = self.memory.word();
            factors.push(Some(place));
            if self.table.is_some() {
                self.over_z(number + 1, set);
                self.code.store(place, product("part", "e"));
                continue;
            }
            self.code.line("e := part");
            let only = |these: &[i32], those: &[i32]| -> Vec<i32> {
                these.iter().copied().filter(|rotation| !those.contains(rotation)).collect()
            };
            let above = only(&first.rotations, &set.rotations);
            let below = only(&set.rotations, &first.rotations);
            let above = above.into_iter().map(|rotation| self.value(rotation));
            let below = below.into_iter().map(|rotation| self.inverse(rotation));
            let values: Vec<_> = above.chain(below).collect();
            self.multiply(values);
            self.code.store(place, "e");
        }
        factors
    }

    /// e becomes the inverse of a set's Z.
    fn over_z(&mut self, number: usize, set: &OpeningSet) {
        if let Some((_, place)) = self.over_z.iter().find(|(found, _)| *found == number) {
            self.code.line(format!("e := {}", load(*place)));
            return;
        }
        let inverses = set.rotations.iter().map(|rotation| self.inverse(*rotation));
        let product = inverses.reduce(product).unwrap_or_default();
        self.code.line(format!("e := {product}"));
    }
}

fn describe(set: &OpeningSet) -> String {
    let rotations: Vec<_> = set.rotations.iter().map(i32::to_string).collect();
    format!("{} polynomials at {}", set.polys.len(), rotations.join(", "))
}
