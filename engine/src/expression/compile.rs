use std::collections::HashMap;

use halo2curves::{bn256::Fr, ff::Field};

use super::{
    program::{Operand, Program, Step, Uniform},
    Cell, Graph, Node, Term,
};
use crate::lanes::GREATEST;

/// The bounds of loaded cells, and of uniform numbers and anything multiplied by 1.
const LOADED: u32 = 16;
const UNIFORM: u32 = 1;

/// Products that are summed before the sum is reduced. More would save little, and all their factors take up
/// registers at the same time.
const PRODUCTS: usize = 8;

/// Steps after which a cell is read again rather than kept.
const KEPT: usize = 48;

impl Graph {
    /// A program that computes `results`.
    pub fn compile(&self, results: &[Term]) -> Program {
        let mut emitter = Emitter::new(self, self.uses(results));
        for (result, term) in results.iter().enumerate() {
            let from = emitter.value(*term);
            emitter.steps.push(Step::Store { from, result });
        }
        let Emitter { uniforms, mut steps, mut pairs, .. } = emitter;
        let registers = assign(&mut steps, &mut pairs);
        Program { uniforms: uniforms.list, steps, pairs, registers, results: results.len() }
    }

    /// For each term, how many terms needed for `results` name it; being a result counts as one more.
    fn uses(&self, results: &[Term]) -> Vec<u32> {
        let mut uses = vec![0; self.nodes().len()];
        results.iter().for_each(|term| uses[term.index()] += 1);
        // Terms name only older ones.
        for (index, node) in self.nodes().iter().enumerate().rev() {
            if uses[index] == 0 {
                continue;
            }
            if let Node::Add(left, right) | Node::Sub(left, right) | Node::Mul(left, right) = node {
                uses[left.index()] += 1;
                uses[right.index()] += 1;
            }
        }
        uses
    }
}

/// Writes the steps of expressions. Registers are written once; the bound of each is known, and if the greatest
/// would be exceeded, a number is reduced first.
struct Emitter<'a> {
    graph: &'a Graph,
    /// How often each term is needed.
    uses: Vec<u32>,
    uniforms: Uniforms,
    steps: Vec<Step>,
    pairs: Vec<[Operand; 2]>,
    bounds: Vec<u32>,
    values: HashMap<Term, Operand>,
    cells: HashMap<Cell, Loaded>,
    reduced: HashMap<u32, Operand>,
}

/// A cell in a register, and the step that used it last.
#[derive(Clone, Copy)]
struct Loaded {
    register: u32,
    used: usize,
}

/// A sum taken apart.
#[derive(Default)]
struct Sum {
    products: Vec<(Sign, [Term; 2])>,
    others: Vec<(Sign, Term)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

impl Sign {
    fn opposite(self) -> Self {
        match self {
            Self::Plus => Self::Minus,
            Self::Minus => Self::Plus,
        }
    }
}

impl<'a> Emitter<'a> {
    fn new(graph: &'a Graph, uses: Vec<u32>) -> Self {
        Self {
            graph,
            uses,
            uniforms: Uniforms::default(),
            steps: vec![],
            pairs: vec![],
            bounds: vec![],
            values: HashMap::new(),
            cells: HashMap::new(),
            reduced: HashMap::new(),
        }
    }

    /// Where a term's value is, once the steps so far are done.
    fn value(&mut self, term: Term) -> Operand {
        if let Some(uniform) = self.uniforms.of(self.graph, term) {
            return Operand::Uniform(uniform);
        }
        if let Node::Cell(cell) = self.graph.node(term) {
            return Operand::Register(self.load(cell));
        }
        if let Some(value) = self.values.get(&term) {
            return *value;
        }
        let mut sum = Sum::default();
        self.take_apart(term, Sign::Plus, &mut sum);
        let value = self.sum(&sum);
        self.values.insert(term, value);
        value
    }

    fn load(&mut self, cell: Cell) -> u32 {
        let used = self.steps.len();
        if let Some(loaded) = self.cells.get_mut(&cell)
            && used - loaded.used <= KEPT
        {
            loaded.used = used;
            return loaded.register;
        }
        let register = self.register(LOADED);
        self.steps.push(Step::Load { cell, to: register });
        self.cells.insert(cell, Loaded { register, used });
        register
    }

    /// Takes sums and products that nothing else needs apart, into `sum`.
    fn take_apart(&mut self, term: Term, sign: Sign, sum: &mut Sum) {
        let shared = self.values.contains_key(&term);
        match self.graph.node(term) {
            _ if shared => sum.others.push((sign, term)),
            Node::Add(left, right) => {
                self.part(left, sign, sum);
                self.part(right, sign, sum);
            }
            Node::Sub(left, right) => {
                self.part(left, sign, sum);
                self.part(right, sign.opposite(), sum);
            }
            Node::Mul(left, right) => sum.products.push((sign, [left, right])),
            Node::Constant(_) | Node::Parameter(_) | Node::Cell(_) => sum.others.push((sign, term)),
        }
    }

    fn part(&mut self, term: Term, sign: Sign, sum: &mut Sum) {
        if self.uses[term.index()] > 1 || self.uniforms.of(self.graph, term).is_some() {
            if !self.graph.is_zero(term) {
                sum.others.push((sign, term));
            }
        } else {
            self.take_apart(term, sign, sum);
        }
    }

    fn sum(&mut self, sum: &Sum) -> Operand {
        let mut total = None;
        for products in sum.products.chunks(PRODUCTS) {
            let pairs = products.iter().map(|(sign, factors)| self.factors(*sign, *factors));
            let pairs = pairs.collect();
            let dot = self.dot(pairs);
            total = Some(total.map_or(dot, |total| self.add(total, dot)));
        }
        let (plus, minus): (Vec<_>, Vec<_>) =
            sum.others.iter().partition(|(sign, _)| *sign == Sign::Plus);
        for (_, term) in plus {
            let value = self.value(term);
            total = Some(total.map_or(value, |total| self.add(total, value)));
        }
        for (_, term) in minus {
            let value = self.value(term);
            let from = total.unwrap_or_else(|| self.uniforms.constant(Fr::ZERO));
            total = Some(self.sub(from, value));
        }
        total.unwrap_or_else(|| self.uniforms.constant(Fr::ZERO))
    }

    /// The factors of a product, one of them negated if it is subtracted.
    fn factors(&mut self, sign: Sign, factors: [Term; 2]) -> [Operand; 2] {
        let [left, right] = factors.map(|factor| self.value(factor));
        if sign == Sign::Plus {
            return [left, right];
        }
        if let Operand::Uniform(_) = right {
            [left, self.negate(right)]
        } else {
            [self.negate(left), right]
        }
    }

    fn negate(&mut self, value: Operand) -> Operand {
        let zero = self.uniforms.constant(Fr::ZERO);
        match (zero, value) {
            (Operand::Uniform(zero), Operand::Uniform(value)) => {
                Operand::Uniform(self.uniforms.add(Uniform::Sub(zero, value)))
            }
            _ => self.sub(zero, value),
        }
    }

    fn add(&mut self, mut left: Operand, mut right: Operand) -> Operand {
        while self.bound(left) + self.bound(right) > GREATEST {
            self.reduce_one([&mut left, &mut right]);
        }
        let to = self.register(self.bound(left) + self.bound(right));
        self.steps.push(Step::Add { left, right, to });
        Operand::Register(to)
    }

    fn sub(&mut self, mut left: Operand, mut right: Operand) -> Operand {
        while self.bound(left) + self.bound(right) > GREATEST {
            self.reduce_one([&mut left, &mut right]);
        }
        let bound = self.bound(right);
        let to = self.register(self.bound(left) + bound);
        self.steps.push(Step::Sub { left, right, bound, to });
        Operand::Register(to)
    }

    /// The sum of products, whose bound is `1 + ⌈sum/84⌉` for the sum of the products of their bounds.
    fn dot(&mut self, mut pairs: Vec<[Operand; 2]>) -> Operand {
        let bound = loop {
            let products = pairs.iter().map(|[left, right]| self.bound(*left) * self.bound(*right));
            let bound = 1 + products.sum::<u32>().div_ceil(GREATEST);
            if bound <= GREATEST {
                break bound;
            }
            self.reduce_one(pairs.iter_mut().flatten());
        };
        let (first, count) = (self.pairs.len() as u32, pairs.len() as u32);
        self.pairs.append(&mut pairs);
        let to = self.register(bound);
        self.steps.push(Step::Dot { first, count, to });
        Operand::Register(to)
    }

    /// Reduces the operand with the greatest bound, by multiplying it by 1.
    fn reduce_one<'b>(&mut self, operands: impl IntoIterator<Item = &'b mut Operand>) {
        let greatest = operands.into_iter().max_by_key(|operand| self.bound(**operand));
        let greatest = greatest.expect("there is one");
        let Operand::Register(register) = *greatest else {
            unreachable!("uniform numbers are reduced")
        };
        let known = self.reduced.get(&register).copied();
        *greatest = known.unwrap_or_else(|| {
            let one = self.uniforms.constant(Fr::ONE);
            let reduced = self.dot(vec![[Operand::Register(register), one]]);
            self.reduced.insert(register, reduced);
            reduced
        });
    }

    fn bound(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Register(register) => self.bounds[register as usize],
            Operand::Uniform(_) => UNIFORM,
        }
    }

    fn register(&mut self, bound: u32) -> u32 {
        self.bounds.push(bound);
        self.bounds.len() as u32 - 1
    }
}

/// Numbers that are the same in all rows, each after those that it is made of.
#[derive(Default)]
struct Uniforms {
    list: Vec<Uniform>,
    places: HashMap<Uniform, u32>,
    terms: HashMap<Term, Option<u32>>,
}

impl Uniforms {
    /// The place of a term's number, if it is the same in all rows.
    fn of(&mut self, graph: &Graph, term: Term) -> Option<u32> {
        if let Some(known) = self.terms.get(&term) {
            return *known;
        }
        let place = match graph.node(term) {
            Node::Constant(number) => Some(Uniform::Constant(number)),
            Node::Parameter(index) => Some(Uniform::Parameter(index)),
            Node::Cell(_) => None,
            Node::Add(left, right) => {
                self.both(graph, left, right).map(|(left, right)| Uniform::Add(left, right))
            }
            Node::Sub(left, right) => {
                self.both(graph, left, right).map(|(left, right)| Uniform::Sub(left, right))
            }
            Node::Mul(left, right) => {
                self.both(graph, left, right).map(|(left, right)| Uniform::Mul(left, right))
            }
        };
        let place = place.map(|uniform| self.add(uniform));
        self.terms.insert(term, place);
        place
    }

    fn both(&mut self, graph: &Graph, left: Term, right: Term) -> Option<(u32, u32)> {
        Some((self.of(graph, left)?, self.of(graph, right)?))
    }

    fn constant(&mut self, number: Fr) -> Operand {
        Operand::Uniform(self.add(Uniform::Constant(number)))
    }

    fn add(&mut self, uniform: Uniform) -> u32 {
        let next = self.list.len() as u32;
        let place = *self.places.entry(uniform).or_insert(next);
        if place == next {
            self.list.push(uniform);
        }
        place
    }
}

/// Maps registers, each written once, to places that can be used again after a register's last read. Returns
/// how many places there are.
fn assign(steps: &mut [Step], pairs: &mut [[Operand; 2]]) -> usize {
    let mut last_reads = vec![];
    for (place, step) in steps.iter_mut().enumerate() {
        read(step, pairs, |register| {
            let register = *register as usize;
            last_reads.resize(last_reads.len().max(register + 1), 0);
            last_reads[register] = place;
        });
    }
    let mut places = vec![0; steps.len()];
    let mut free: Vec<u32> = vec![];
    let mut count = 0;
    for (place, step) in steps.iter_mut().enumerate() {
        let mut ending = vec![];
        read(step, pairs, |register| {
            if last_reads[*register as usize] == place {
                ending.push(*register);
            }
            *register = places[*register as usize];
        });
        ending.sort_unstable();
        ending.dedup();
        free.extend(ending.into_iter().map(|register| places[register as usize]));
        if let Some(to) = written(step) {
            let free = free.pop().unwrap_or_else(|| {
                count += 1;
                count - 1
            });
            places[*to as usize] = free;
            *to = free;
        }
    }
    count as usize
}

/// The register that a step writes, after all its reads.
fn written(step: &mut Step) -> Option<&mut u32> {
    match step {
        Step::Load { to, .. }
        | Step::Add { to, .. }
        | Step::Sub { to, .. }
        | Step::Dot { to, .. } => Some(to),
        Step::Store { .. } => None,
    }
}

/// Hands over the registers that a step reads.
fn read(step: &mut Step, pairs: &mut [[Operand; 2]], mut each: impl FnMut(&mut u32)) {
    let each = |operand: &mut Operand| {
        if let Operand::Register(register) = operand {
            each(register);
        }
    };
    match step {
        Step::Load { .. } => {}
        Step::Add { left, right, .. } | Step::Sub { left, right, .. } => {
            [left, right].into_iter().for_each(each);
        }
        Step::Dot { first, count, .. } => {
            pairs[*first as usize..][..*count as usize].iter_mut().flatten().for_each(each);
        }
        Step::Store { from, .. } => [from].into_iter().for_each(each),
    }
}
