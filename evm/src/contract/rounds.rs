//! The linear layers of a permutation with one matrix: full rounds, and the rounds after them that
//! have one S-box each.
//!
//! The first inputs of these rounds are combinations of the outputs of the last full layer and of
//! each other's. Written out, they have a coefficient for each; they are also what the matrix gives if
//! it is applied repeatedly, each time with the output of the S-box in the first place. Whether they
//! are is checked coefficient by coefficient.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    code::{constant, hex, load, product, Code},
    graph::{Graph, Id, Leaf, Node},
    group::Group,
    protocol::WORD,
};

/// Widest matrix.
pub(super) const WIDEST: usize = 6;
/// Multiples of the modulus that a sum may reach.
const LIMIT: usize = 4;

/// Terms of a form that a selector may have.
const SHORT: usize = 3;

/// A linear form, by its terms.
type Form = BTreeMap<Id, Fr>;

/// Consecutive constraints of a group that have a factor in common.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) group: usize,
    /// The first of them, by its place in the group.
    pub(super) first: usize,
    factor: Option<Id>,
    forms: Vec<Form>,
    /// What constraints set equal to a lane of the state, or to its negation.
    targets: Vec<(Id, bool)>,
}

/// The layers that were found.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    pub(super) full: Run,
    pub(super) entry: Run,
    matrix: Vec<Vec<Fr>>,
    /// The outputs of the S-boxes of a full round.
    pub(super) outputs: Vec<Id>,
    /// The outputs of the S-boxes after it.
    pub(super) later: Vec<Id>,
}

impl Run {
    /// The place in the run of a member of a group.
    pub(super) fn place(&self, group: usize, member: usize) -> Option<usize> {
        let place = member.checked_sub(self.first)?;
        (self.group == group && place < self.targets.len()).then_some(place)
    }

    pub(super) fn is_last(&self, place: usize) -> bool {
        place + 1 == self.targets.len()
    }

    /// The value of the constraint at `place`; `text` gives the text of the nodes that it names.
    pub(super) fn value(
        &self,
        place: usize,
        lane: usize,
        mut text: impl FnMut(Id) -> String,
    ) -> String {
        let (target, minus) = self.targets[place];
        let target = text(target);
        let value = if minus {
            format!("add({}, sub(r, {target}))", load(lane))
        } else {
            format!("add({target}, sub(r, {}))", load(lane))
        };
        match self.factor {
            Some(factor) => product(text(factor), value),
            None => value,
        }
    }

    fn parts(&self) -> impl Iterator<Item = Id> + '_ {
        self.targets.iter().flat_map(|(target, _)| self.factor.into_iter().chain([*target]))
    }
}

impl Rounds {
    /// The first full rounds, and the constraints after them that continue from there.
    pub(super) fn find(graph: &Graph, groups: &[Group]) -> Option<Self> {
        let each = groups.iter().enumerate();
        let runs: Vec<_> = each.flat_map(|(number, group)| runs(graph, number, group)).collect();
        runs.iter().enumerate().find_map(|(number, full)| {
            let (matrix, outputs) = full_round(full)?;
            runs[number + 1..].iter().find_map(|entry| {
                let later = entries(entry, &matrix, &outputs)?;
                let (full, entry) = (full.clone(), entry.clone());
                Some(Self { full, entry, matrix: matrix.clone(), outputs: outputs.clone(), later })
            })
        })
    }

    /// Whether it has a member of a group.
    pub(super) fn has(&self, group: usize, member: usize) -> bool {
        [&self.full, &self.entry].iter().any(|run| run.place(group, member).is_some())
    }

    /// Lanes of the state.
    pub(super) fn width(&self) -> usize {
        self.matrix.len()
    }

    /// The matrix, row by row.
    pub(super) fn numbers(&self) -> Vec<String> {
        self.matrix.iter().flatten().map(constant).collect()
    }

    /// All nodes that the constraints name, as often as they do.
    pub(super) fn parts(&self) -> impl Iterator<Item = Id> + '_ {
        let own = self.outputs.iter().chain(&self.later).copied();
        own.chain(self.full.parts()).chain(self.entry.parts())
    }

    /// The function that applies rows of the matrix to a state.
    pub(super) fn function(&self, code: &mut Code) {
        let width = hex(WORD * self.width());
        code.remark("Rows of a matrix times a state.");
        code.block("function mix(state, matrix, to, length, q)", |code| {
            let head = "for { let end := add(to, length) } lt(to, end) { to := add(to, 0x20) }";
            code.block(head, |code| {
                let mut bound = 0;
                for lane in 0..self.width() {
                    let at = |base: &str| match lane {
                        0 => format!("mload({base})"),
                        _ => format!("mload(add({base}, {}))", hex(WORD * lane)),
                    };
                    let term = format!("mulmod({}, {}, q)", at("matrix"), at("state"));
                    let is_last = lane + 1 == self.width();
                    code.line(match (lane, bound == LIMIT || is_last) {
                        (0, _) => format!("let sum := {term}"),
                        (_, true) => format!("sum := addmod(sum, {term}, q)"),
                        (_, false) => format!("sum := add(sum, {term})"),
                    });
                    bound = if bound == LIMIT { 1 } else { bound + 1 };
                }
                code.line("mstore(to, sum)");
                code.line(format!("matrix := add(matrix, {width})"));
            });
        });
    }
}

fn is_leaf(graph: &Graph, id: Id) -> bool {
    matches!(graph.node(id), Node::Leaf(Leaf::Evaluation(_)))
}

/// The runs of a group.
fn runs(graph: &Graph, group: usize, members: &Group) -> Vec<Run> {
    let mut runs: Vec<Run> = vec![];
    for (member, (_, term)) in members.members.iter().enumerate() {
        let sign = if term.minus { -Fr::ONE } else { Fr::ONE };
        let (factor, form) = split(graph, term.id, sign);
        let Some((target, form)) = solve(graph, form) else { continue };
        match runs.last_mut() {
            Some(run) if run.factor == factor && run.first + run.forms.len() == member => {
                run.forms.push(form);
                run.targets.push(target);
            }
            _ => {
                let (forms, targets) = (vec![form], vec![target]);
                runs.push(Run { group, first: member, factor, forms, targets });
            }
        }
    }
    runs
}

/// A linear form, and the factor that multiplies it, if there is one.
fn split(graph: &Graph, id: Id, sign: Fr) -> (Option<Id>, Form) {
    let form = |id: Id| {
        let mut form = Form::new();
        collect(graph, id, sign, &mut form);
        form.retain(|_, factor| *factor != Fr::ZERO);
        form
    };
    if let Node::Product(a, b) = *graph.node(id) {
        let found = [(a, b), (b, a)].map(|(factor, rest)| (Some(factor), form(rest)));
        if let Some(found) = found.into_iter().find(|(_, form)| form.len() > SHORT) {
            return found;
        }
    }
    (None, form(id))
}

fn collect(graph: &Graph, id: Id, factor: Fr, form: &mut Form) {
    match *graph.node(id) {
        Node::Sum(a, b) => [a, b].into_iter().for_each(|id| collect(graph, id, factor, form)),
        Node::Difference(a, b) => {
            collect(graph, a, factor, form);
            collect(graph, b, -factor, form);
        }
        Node::Product(a, b) => match (graph.node(a), graph.node(b)) {
            (Node::Constant(scale), _) => collect(graph, b, factor * scale, form),
            (_, Node::Constant(scale)) => collect(graph, a, factor * scale, form),
            _ => *form.entry(id).or_default() += factor,
        },
        _ => *form.entry(id).or_default() += factor,
    }
}

/// Takes the one evaluation out of a form; scales the rest so that the evaluation is equal to it.
fn solve(graph: &Graph, mut form: Form) -> Option<((Id, bool), Form)> {
    let mut leaves = form.keys().copied().filter(|id| is_leaf(graph, *id));
    let (target, None) = (leaves.next()?, leaves.next()) else { return None };
    let factor = form.remove(&target)?;
    let minus = factor == -Fr::ONE;
    if !minus && factor != Fr::ONE {
        return None;
    }
    form.values_mut().for_each(|value| *value = if minus { *value } else { -*value });
    Some(((target, minus), form))
}

/// A matrix, if each constraint sets an evaluation to a combination of the same outputs, as many as
/// there are constraints.
fn full_round(run: &Run) -> Option<(Vec<Vec<Fr>>, Vec<Id>)> {
    let outputs: Vec<_> = run.forms[0].keys().copied().collect();
    let width = outputs.len();
    let same = |form: &Form| form.keys().eq(outputs.iter());
    ((3..=WIDEST).contains(&width) && run.forms.len() == width && run.forms.iter().all(same))
        .then(|| (run.forms.iter().map(|form| form.values().copied().collect()).collect(), outputs))
}

/// The outputs of the rounds after, if the constraints are about these.
fn entries(run: &Run, matrix: &[Vec<Fr>], outputs: &[Id]) -> Option<Vec<Id>> {
    let single = |id: Id| Form::from([(id, Fr::ONE)]);
    let mut state = apply(matrix, &outputs.iter().map(|id| single(*id)).collect::<Vec<_>>());
    let mut later = vec![];
    for (member, found) in run.forms.iter().enumerate() {
        if member > 0 {
            let known = |id: &&Id| !outputs.contains(id) && !later.contains(*id);
            let mut new = found.keys().filter(known);
            let (next, None) = (*new.next()?, new.next()) else { return None };
            state[0] = single(next);
            state = apply(matrix, &state);
            later.push(next);
        }
        if *found != state[0] {
            return None;
        }
    }
    (!later.is_empty()).then_some(later)
}

fn apply(matrix: &[Vec<Fr>], state: &[Form]) -> Vec<Form> {
    let row = |row: &Vec<Fr>| {
        let mut sum = Form::new();
        for (factor, form) in row.iter().zip(state) {
            form.iter().for_each(|(id, value)| *sum.entry(*id).or_default() += *factor * value);
        }
        sum
    };
    matrix.iter().map(row).collect()
}
