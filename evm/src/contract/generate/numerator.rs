//! The constraints at x, and what the quotient must be there.
//!
//! They are summed up in steps, one for each constraint: two sums, of the group and of all groups, are
//! all that one step hands to the next. So a part of the steps can be a contract of its own.

use std::collections::{BTreeSet, HashMap};

use super::{
    super::{
        code::{hex, load, product, Code},
        emit::{powers, Emitter},
        graph::{Graph, Id, Leaf, Term},
        group::{self, Group},
        memory::Memory,
        outline::outline,
        protocol::{Protocol, WORD},
        rounds::Rounds,
    },
    denominator::{Denominator, Inverses},
    sets,
};

/// A constraint: a member of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    group: usize,
    member: usize,
}

impl Step {
    /// Whether it ends its group.
    fn is_last(self, groups: &[Group]) -> bool {
        self.member + 1 == groups[self.group].members.len()
    }
}

/// All constraints, group by group.
pub(super) fn steps(groups: &[Group]) -> Vec<Step> {
    let each = groups.iter().enumerate();
    each.flat_map(|(group, found)| {
        (0..found.members.len()).map(move |member| Step { group, member })
    })
    .collect()
}

/// The sum of all constraints, weighted by falling powers of alpha, over x^n − 1. `numbers` is where long
/// numbers may lie, if repeated shapes are to be functions; returns these numbers.
pub(super) fn numerator(
    protocol: &Protocol,
    graph: &Graph,
    groups: &[Group],
    inverses: &Inverses,
    numbers: Option<usize>,
    memory: &mut Memory,
    code: &mut Code,
) -> Vec<String> {
    let rounds = numbers.and_then(|_| Rounds::find(graph, groups));
    let emitter = match (&rounds, numbers) {
        (Some(rounds), _) => {
            let members = groups.iter().enumerate().flat_map(|(number, group)| {
                let members = group.members.iter().enumerate();
                let others = members.filter(move |(member, _)| !rounds.has(number, *member));
                others.map(|(_, (_, term))| term.id).chain(group.factor)
            });
            Emitter::with_exclusive_ors(protocol, graph, members.chain(rounds.parts()))
        }
        (None, Some(_)) => Emitter::with_exclusive_ors(protocol, graph, group::roots(groups)),
        (None, None) => Emitter::new(protocol, graph, group::roots(groups)),
    };
    let steps = steps(groups);
    let alphas = alphas(groups, &steps, memory, code);
    code.line("let all");
    code.line("let part");
    let begin = code.len();
    let layers = rounds.clone().zip(numbers).map(|(rounds, matrix)| {
        let states = [(); 3].map(|()| memory.take(WORD * rounds.width()));
        Layers { rounds, matrix, states }
    });
    let mut writer = Writer { protocol, groups, emitter, alphas, layers, memory, code };
    steps.into_iter().for_each(|step| writer.step(step));
    finish(protocol, groups, inverses, memory, code);
    let Some(numbers) = numbers else { return vec![] };
    let mut long = rounds.as_ref().map(Rounds::numbers).unwrap_or_default();
    let behind = (numbers + WORD * long.len(), sets::NUMBERS - long.len());
    let outlined = outline(code, begin, behind);
    code.remark("Shapes that come again and again.");
    outlined.functions.into_iter().for_each(|function| code.line(function));
    if let Some(rounds) = rounds {
        rounds.function(code);
    }
    long.extend(outlined.numbers);
    long
}

/// Some of the steps: `all` and `part` are set to their values after these.
pub(super) fn partial(
    protocol: &Protocol,
    graph: &Graph,
    groups: &[Group],
    steps: &[Step],
    memory: &mut Memory,
    code: &mut Code,
) {
    let roots = steps.iter().flat_map(|step| {
        let group = &groups[step.group];
        let factor = group.factor.filter(|_| step.is_last(groups));
        factor.into_iter().chain([group.members[step.member].1.id])
    });
    let emitter = Emitter::new(protocol, graph, roots);
    let alphas = alphas(groups, steps, memory, code);
    let mut writer = Writer { protocol, groups, emitter, alphas, layers: None, memory, code };
    steps.iter().for_each(|step| writer.step(*step));
}

/// The quotient from the sum of all constraints, `all`.
pub(super) fn finish(
    protocol: &Protocol,
    groups: &[Group],
    inverses: &Inverses,
    memory: &mut Memory,
    code: &mut Code,
) {
    // The last constraint, whose power of alpha is one, ends the last group.
    assert_eq!(groups.last().map(Group::last), Some(protocol.constraints.len() - 1));
    let inverse = load(inverses[&Denominator::Vanishing].inverse);
    let quotient = Leaf::Evaluation(protocol.quotient());
    code.store(memory.leaf(&quotient), product("all", inverse));
}

/// Writes the powers of alpha that steps take; returns their places.
fn alphas(
    groups: &[Group],
    steps: &[Step],
    memory: &mut Memory,
    code: &mut Code,
) -> HashMap<usize, usize> {
    let alpha = memory.leaf(&Leaf::Alpha(1));
    code.remark("Powers of alpha.");
    let alphas = powers(code, memory, alpha, &exponents(groups, steps));
    code.line(format!("let alpha := {}", load(alpha)));
    alphas
}

/// The powers of alpha from one constraint to the next: in groups, and between their last ones.
fn exponents(groups: &[Group], steps: &[Step]) -> Vec<usize> {
    let within = steps.iter().filter(|step| step.member > 0).map(|step| {
        let members = &groups[step.group].members;
        members[step.member].0 - members[step.member - 1].0
    });
    let ends = steps.iter().filter(|step| step.is_last(groups) && step.group > 0);
    let between = ends.map(|step| groups[step.group].last() - groups[step.group - 1].last());
    within.chain(between).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Layers that one matrix describes, where it lies and where states lie.
#[derive(Clone)]
struct Layers {
    rounds: Rounds,
    matrix: usize,
    states: [usize; 3],
}

struct Writer<'a> {
    protocol: &'a Protocol,
    groups: &'a [Group],
    emitter: Emitter<'a>,
    /// Places of the powers of alpha.
    alphas: HashMap<usize, usize>,
    layers: Option<Layers>,
    memory: &'a mut Memory,
    code: &'a mut Code,
}

impl Writer<'_> {
    fn shifted(&self, sum: &str, by: usize) -> String {
        match by {
            1 => product(sum, "alpha"),
            by => product(sum, load(self.alphas[&by])),
        }
    }

    /// The value of a constraint of the layers that one matrix describes; `None` for all others.
    fn layer(&mut self, group: usize, member: usize) -> Option<String> {
        let Layers { rounds, matrix, states } = self.layers.clone()?;
        let [outputs, state, next] = states;
        let (run, place, lane) = match rounds.full.place(group, member) {
            Some(place) => {
                if place == 0 {
                    for (lane, output) in rounds.outputs.iter().enumerate() {
                        let output = self.whole(*output);
                        self.code.store(outputs + WORD * lane, output);
                    }
                    self.mix(outputs, matrix, state, rounds.width());
                }
                (&rounds.full, place, state + WORD * place)
            }
            None => {
                let place = rounds.entry.place(group, member)?;
                // The state alternates between the two places.
                let [last, own] = if place % 2 == 1 { [state, next] } else { [next, state] };
                if place > 0 {
                    let output = self.whole(rounds.later[place - 1]);
                    self.code.store(last, output);
                    // Only the first lane of the last state is needed.
                    let rows = if rounds.entry.is_last(place) { 1 } else { rounds.width() };
                    self.mix(last, matrix, own, rows);
                }
                (&rounds.entry, place, own)
            }
        };
        Some(run.value(place, lane, |id| self.whole(id)))
    }

    fn mix(&mut self, state: usize, matrix: usize, to: usize, rows: usize) {
        let [state, matrix, to, length] = [state, matrix, to, WORD * rows].map(hex);
        self.code.line(format!("mix({state}, {matrix}, {to}, {length}, r)"));
    }

    fn whole(&mut self, id: Id) -> String {
        self.emitter.term(self.code, self.memory, Term { id, minus: false })
    }

    /// part becomes the sum of a group's constraints up to this one, without their factor. The last of a group
    /// adds it to all.
    fn step(&mut self, step: Step) {
        let group = &self.groups[step.group];
        let (number, term) = group.members[step.member];
        let before = step.member.checked_sub(1).map(|before| group.members[before].0);
        self.code.remark(format!("{number}: {}", self.protocol.constraints[number].name));
        let layer = self.layer(step.group, step.member);
        let value = match (layer, before) {
            (Some(layer), None) => layer,
            (Some(layer), Some(before)) => {
                format!("add({}, {layer})", self.shifted("part", number - before))
            }
            (None, None) => self.emitter.term(self.code, self.memory, term),
            (None, Some(before)) => {
                let sum = self.shifted("part", number - before);
                self.emitter.add_to(self.code, self.memory, &sum, term)
            }
        };
        self.code.line(format!("part := {value}"));
        if step.is_last(self.groups) {
            self.end(step.group);
        }
    }

    /// all becomes the sum of groups up to this one.
    fn end(&mut self, number: usize) {
        let group = &self.groups[number];
        let part = match group.factor {
            Some(factor) => product("part", self.whole(factor)),
            None => "part".to_owned(),
        };
        let all = match number.checked_sub(1).map(|before| self.groups[before].last()) {
            Some(before) => {
                let shifted = self.shifted("all", group.last() - before);
                format!("all := addmod({part}, {shifted}, r)")
            }
            None => format!("all := {part}"),
        };
        self.code.line(all);
    }
}
