//! The constraints at x, and what the quotient must be there.

use std::collections::{BTreeSet, HashMap};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    super::{
        code::{calldata, constant, hex, load, product, Code},
        emit::{powers, Emitter},
        graph::{Graph, Id, Leaf, Term},
        group::{self, Group},
        memory::Memory,
        outline::outline,
        protocol::{Protocol, WORD},
        rounds::Rounds,
    },
    denominator::{Denominator, Inverses},
    interpolate,
    inverses::{horner, monic},
    sets,
};

/// Most public inputs: the sum of so many products modulo r stays below 2^256, and of one more would not.
pub(crate) const MOST_PUBLIC_INPUTS: usize = 5;

/// Rows whose Lagrange polynomials the public inputs are multiplied with.
pub(super) fn instance_rows(protocol: &Protocol, rotation: i32) -> Vec<i32> {
    (0..protocol.public_inputs as i32).map(|input| input - rotation).collect()
}

/// Evaluates Lagrange polynomials and the polynomial of the public inputs.
pub(super) fn common(
    protocol: &Protocol,
    leaves: &[Leaf],
    inverses: &Inverses,
    memory: &mut Memory,
    code: &mut Code,
) {
    // The sum over them below is not reduced before its end.
    let inputs = protocol.public_inputs;
    assert!(inputs <= MOST_PUBLIC_INPUTS, "{inputs} public inputs");
    let vanishing = inverses[&Denominator::Vanishing].value;
    let shared = product(load(vanishing), constant(&protocol.n_inv));
    code.line(format!("let x := {}", load(memory.x)));
    code.line("let v");
    code.remark("(x^n - 1) / n, a factor of all of them.");
    code.line(format!("let f := {shared}"));
    let looped = match memory.omega {
        Some(omega) => sets::first_rows(leaves, inverses, omega, memory, code),
        None => 0,
    };
    for leaf in leaves {
        if let Leaf::Lagrange(rows) = leaf {
            if matches!(rows[..], [row] if (0..looped).contains(&row)) {
                continue;
            }
            lagrange(protocol, rows, inverses, memory, code);
            code.store(memory.leaf(leaf), product("f", "v"));
        }
    }
    for leaf in leaves {
        if let Leaf::Evaluation(query) = leaf {
            if query.poly == protocol.instance() {
                code.remark("The polynomial of the public inputs.");
                let rows = instance_rows(protocol, query.rotation).into_iter().enumerate();
                let sum = rows.map(|(input, row)| {
                    let basis = load(memory.leaf(&Leaf::Lagrange(vec![row])));
                    product(calldata(WORD * input), basis)
                });
                let sum = sum.reduce(|sum, next| format!("add({next}, {sum})"));
                code.store(memory.leaf(leaf), format!("mod({}, r)", sum.unwrap_or_default()));
            }
        }
    }
}

/// v becomes the sum of ω^row / (x − ω^row), as one fraction.
fn lagrange(
    protocol: &Protocol,
    rows: &[i32],
    inverses: &Inverses,
    memory: &Memory,
    code: &mut Code,
) {
    if interpolate::are_looped(protocol, rows) {
        interpolate::lagrange(protocol, rows, inverses, memory, code);
        return;
    }
    let inverse = load(inverses[&Denominator::Rows(rows.to_vec())].inverse);
    let roots: Vec<_> = rows.iter().map(|row| protocol.omega(*row)).collect();
    code.remark(match rows {
        [row] => format!("Row {row}."),
        rows => format!("Rows {} to {}, together.", rows[0], rows[rows.len() - 1]),
    });
    if let [Fr::ONE] = roots[..] {
        code.line(format!("v := {inverse}"));
        return;
    }
    let mut numerator = vec![Fr::ZERO; roots.len()];
    for (place, root) in roots.iter().enumerate() {
        let others = [&roots[..place], &roots[place + 1..]].concat();
        for (sum, coefficient) in numerator.iter_mut().zip(monic(&others)) {
            *sum += coefficient * root;
        }
    }
    match &numerator[..] {
        [single] => code.line(format!("v := {}", product(inverse, constant(single)))),
        several => {
            horner(several, code);
            code.line(format!("v := {}", product("v", inverse)));
        }
    }
}

/// The sum of all constraints, falling powers of alpha before them, over x^n − 1. `numbers` is where
/// long numbers may lie, if shapes that come again shall be functions; gives these numbers.
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
    let alpha = memory.leaf(&Leaf::Alpha(1));
    code.remark("Powers of alpha.");
    let alphas = powers(code, memory, alpha, &exponents(groups));
    code.line(format!("let alpha := {}", load(alpha)));
    code.line("let all");
    code.line("let part");
    let begin = code.len();
    let layers = rounds.clone().zip(numbers).map(|(rounds, matrix)| {
        let states = [(); 3].map(|()| memory.take(WORD * rounds.width()));
        Layers { rounds, matrix, states }
    });
    let mut writer = Writer { protocol, emitter, alphas, layers, memory, code };
    let mut before: Option<usize> = None;
    for (number, group) in groups.iter().enumerate() {
        writer.part(number, group);
        let part = match group.factor {
            Some(factor) => {
                let factor = Term { id: factor, minus: false };
                product("part", writer.emitter.term(writer.code, writer.memory, factor))
            }
            None => "part".to_owned(),
        };
        let all = match before {
            Some(before) => {
                let shifted = writer.shifted("all", group.last() - before);
                format!("all := addmod({part}, {shifted}, r)")
            }
            None => format!("all := {part}"),
        };
        writer.code.line(all);
        before = Some(group.last());
    }
    // The last constraint, whose power of alpha is one, ends the last group.
    assert_eq!(before, Some(protocol.constraints.len() - 1));
    let inverse = load(inverses[&Denominator::Vanishing].inverse);
    let quotient = Leaf::Evaluation(protocol.quotient());
    code.store(memory.leaf(&quotient), product("all", inverse));
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

/// The powers of alpha from one constraint to the next: in groups, and between their last ones.
fn exponents(groups: &[Group]) -> Vec<usize> {
    let within =
        groups.iter().flat_map(|group| group.members.windows(2).map(|pair| pair[1].0 - pair[0].0));
    let between = groups.windows(2).map(|pair| pair[1].last() - pair[0].last());
    within.chain(between).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Layers that one matrix tells, where it lies and where states lie.
#[derive(Clone)]
struct Layers {
    rounds: Rounds,
    matrix: usize,
    states: [usize; 3],
}

struct Writer<'a> {
    protocol: &'a Protocol,
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

    /// The value of a constraint of the layers that one matrix tells; none for all others.
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
                // The state is in turns in the one place and the other.
                let [last, own] = if place % 2 == 1 { [state, next] } else { [next, state] };
                if place > 0 {
                    let output = self.whole(rounds.later[place - 1]);
                    self.code.store(last, output);
                    // Of the last state nothing but the first lane is asked for.
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

    /// part becomes the sum of a group's constraints without their factor.
    fn part(&mut self, own: usize, group: &Group) {
        let mut before: Option<usize> = None;
        for (member, (number, term)) in group.members.iter().enumerate() {
            self.code.remark(format!("{number}: {}", self.protocol.constraints[*number].name));
            let layer = self.layer(own, member);
            let value = match before {
                _ if layer.is_some() => {
                    let value = layer.unwrap_or_default();
                    match before {
                        None => value,
                        Some(before) => {
                            format!("add({}, {value})", self.shifted("part", number - before))
                        }
                    }
                }
                None => self.emitter.term(self.code, self.memory, *term),
                Some(before) => {
                    let sum = self.shifted("part", number - before);
                    self.emitter.add_to(self.code, self.memory, &sum, *term)
                }
            };
            self.code.line(format!("part := {value}"));
            before = Some(*number);
        }
    }
}
