//! What gates and lookups say about small changes to an honest witness.

use std::collections::{BTreeMap, BTreeSet};

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    plonk::{ConstraintSystem, Expression},
};
use rustc_hash::FxHashMap;

use halo2_base::utils::fe_to_biguint;
use num_bigint::BigUint;

use super::{
    bounds::{Bounds, Sums},
    grid::{evaluate, Dual, Equation, Function, Grid, Numbers, Relation},
    relations::blocks,
    small::Small,
};
use muster_gates::{foreign::BlockParts, gates::DEGREE};

/// What a circuit says about the classes of its cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Equations {
    pub(super) equations: Vec<Equation>,
    /// Equations that say what some classes are made of, which by itself binds nothing.
    pub(super) definitions: Vec<Equation>,
    /// Equations that are argued to tell their small classes, which are digits, apart.
    pub(super) turned: Vec<Equation>,
    pub(super) functions: Vec<Function>,
    pub(super) relations: Vec<Relation>,
    pub(super) numbers: Numbers,
    /// Classes that have finitely many values, by a bound or by the roots of a polynomial.
    pub(super) small: FxHashMap<usize, Small>,
}

/// The gate of relations: there may be several, of different lengths.
const RELATION: &str = "foreign: relation";
/// The names of a relation's polynomials.
const CHECKS: [&str; 2] = ["native", "limbs"];
const PIECES: &str = "a limb is its pieces";
const SHORT: &str = "the top digit is short";
/// The constraints on words that SHA-256 and SHA-512 take in or return, and the bits of these.
const WORDS: [(&str, u32); 3] =
    [("end of a step", 32), ("end of a long step", 64), ("words of a hash value", 64)];
/// A polynomial of Keccak's round.
const TURNED: &str = "lane";

/// What is looked up, and the table.
type Pair<'a> = (&'a Expression<Fr>, &'a Expression<Fr>);

impl Equations {
    pub(super) fn new(meta: &ConstraintSystem<Fr>, grid: &Grid, parts: &[BlockParts]) -> Self {
        let mut all = Self::default();
        let parts_of = all.gates(meta, grid);
        let (mut sums, mut digits) = (Sums::default(), Sums::default());
        for lookup in meta.lookups() {
            let (inputs, tables) = (lookup.input_expressions(), lookup.table_expressions());
            let pairs: Vec<_> = inputs.iter().zip(tables).collect();
            match lookup.name() {
                name if name.starts_with("range:") || name.starts_with("foreign: limb") => {
                    sums.add(grid, pairs[0]);
                }
                name if name.starts_with("keccak:") => {
                    // The tag of the table comes first, except for the table of words.
                    let first = usize::from(pairs.len() == 3);
                    if let [tag, looked_up, parities] = pairs[..] {
                        digits.add(grid, looked_up);
                        all.parities(grid, [tag, looked_up, parities]);
                    }
                    all.function(grid, &pairs[first..]);
                }
                _ => all.found(grid, &pairs),
            }
        }
        let named = |name| slopes_of(meta, grid, name).collect::<Vec<_>>();
        let [pieces, short] = [PIECES, SHORT].map(named);
        let words = WORDS.into_iter().flat_map(|(name, bits)| {
            classes(&named(name)).into_iter().map(move |class| (class, bits))
        });
        let words = words.collect();
        let bounds = Bounds { pieces, sums: [parts_of, short].concat(), words };
        all.small.extend(bounds.small(grid, &sums));
        all.functions.extend(sums.functions().chain(digits.functions()));
        let mut bits = FxHashMap::default();
        digits.bound(&mut bits);
        for (class, bits) in bits {
            all.small.entry(class).or_insert(Small::counted(bits));
        }
        let relations = meta.gates().iter().filter(|gate| gate.name() == RELATION);
        for (gate, parts) in relations.zip(parts) {
            let polynomials = gate.polynomials().iter().enumerate();
            let of = polynomials.filter(|(i, _)| CHECKS.contains(&gate.constraint_name(*i)));
            let checks: Vec<_> = of.map(|(_, polynomial)| polynomial).collect();
            all.relations(&checks, grid, parts);
        }
        all
    }

    /// Adds the slopes of each polynomial. One of a single class that is not linear in it has roots, and says only that
    /// the class is one of them. Returns those of few classes, constants not counted.
    fn gates(&mut self, meta: &ConstraintSystem<Fr>, grid: &Grid) -> Vec<Equation> {
        let mut single = vec![];
        let mut constants = BTreeSet::new();
        let others = [CHECKS[0], CHECKS[1], PIECES, SHORT, TURNED];
        for polynomial in polynomials(meta, |name| !others.contains(&name)) {
            for row in 0..grid.sheet.usable {
                let slopes = evaluate(grid, row, polynomial, None).gradient();
                if let [(class, slope)] = slopes[..] {
                    if is_linear(grid, row, polynomial, (class, slope)) {
                        constants.insert(class);
                    } else {
                        self.roots(grid, row, polynomial, class);
                        continue;
                    }
                }
                if !slopes.is_empty() {
                    single.push((row, polynomial, slopes));
                }
            }
        }
        let mut parts_of = vec![];
        for (row, polynomial, slopes) in single {
            let free = slopes.iter().filter(|(class, _)| !constants.contains(class));
            let free: Vec<_> = free.copied().collect();
            if let [change] = free[..]
                && !is_linear(grid, row, polynomial, change)
            {
                self.roots(grid, row, polynomial, change.0);
                continue;
            }
            if free.len() == 2 || free.len() == 3 {
                parts_of.push(free);
            }
            self.equations.push(slopes);
        }
        let of = |name| slopes_of(meta, grid, name).collect::<Vec<_>>();
        self.turned = of(TURNED);
        self.definitions = [of(PIECES), of(SHORT)].concat();
        parts_of
    }

    /// The class is a root of a polynomial. It has finitely many values if there are as many roots as the degree, all
    /// small integers.
    fn roots(&mut self, grid: &Grid, row: usize, polynomial: &Expression<Fr>, class: usize) {
        let most = DEGREE as i64;
        let at = |i: i64| {
            let by = Fr::from(i.unsigned_abs());
            let by = if i < 0 { -by } else { by };
            evaluate(grid, row, polynomial, Some((class, by))).value
        };
        let values: Vec<_> = (-most..=most).map(at).collect();
        let is_zero = |value: &Fr| bool::from(value.is_zero());
        let (mut differences, mut degree) = (values.clone(), 0);
        while !differences.iter().all(is_zero) {
            differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
            degree += 1;
        }
        let roots: Vec<_> = (-most..=most)
            .zip(&values)
            .filter(|(_, value)| is_zero(value))
            .map(|(i, _)| i)
            .collect();
        // It takes one difference more than the degree to leave nothing.
        if roots.len() + 1 == degree
            && let Some(small) = Small::values(&roots)
        {
            self.small.insert(class, small);
        }
    }

    /// What blocks say modulo their prime. The quotient and the carries follow from the rest, if they are bounded;
    /// without a bound a block says nothing.
    fn relations(&mut self, checks: &[&Expression<Fr>], grid: &Grid, parts: &BlockParts) {
        let (mut results, mut outside) = (BTreeSet::new(), BTreeSet::new());
        for block in blocks(grid, parts) {
            let relation = block.relation();
            let result = block.classes(&parts.result);
            let numbers = relation.slopes.iter().map(|(number, _)| number);
            if !numbers.clone().any(|number| *number == result) {
                self.numbers.elements.push(result.clone());
            }
            results.insert(result);
            outside.extend(numbers.filter(|number| number.len() > 1).cloned());
            let is_said = |check: &&Expression<Fr>| {
                !evaluate(grid, block.start, check, None).gradient().is_empty()
            };
            let hidden = block.classes(&parts.hidden);
            if checks.iter().filter(|check| is_said(check)).count() == parts.checks
                && hidden.iter().all(|class| self.small.contains_key(class))
            {
                self.relations.push(relation);
            }
        }
        self.numbers.outside.extend(outside.difference(&results).cloned());
    }

    /// A table of constants: the parts of the tuple after the first are functions of it.
    fn function(&mut self, grid: &Grid, pairs: &[Pair]) {
        for row in 0..grid.sheet.usable {
            let input = evaluate(grid, row, pairs[0].0, None).gradient();
            for (output, _) in &pairs[1..] {
                let output = evaluate(grid, row, output, None).gradient();
                let inputs = input.iter().map(|(class, _)| *class).collect();
                self.functions.push(Function { inputs, output });
            }
        }
    }

    /// A table of digits and their parities, by a tag: parities are small, and if no two entries have the same, the
    /// digits are a function of them, too.
    fn parities(&mut self, grid: &Grid, [tag, digits, parities]: [Pair; 3]) {
        let value = |row: usize, part: &Expression<Fr>| {
            fe_to_biguint(&evaluate(grid, row, part, None).value)
        };
        let mut tables = FxHashMap::<BigUint, BTreeMap<BigUint, BTreeSet<BigUint>>>::default();
        for row in 0..grid.sheet.usable {
            let by_parities = tables.entry(value(row, tag.1)).or_default();
            by_parities.entry(value(row, parities.1)).or_default().insert(value(row, digits.1));
        }
        for row in 0..grid.sheet.usable {
            let Some(table) = tables.get(&value(row, tag.0)) else { continue };
            let output = evaluate(grid, row, parities.0, None).gradient();
            if let ([(class, _)], Some((most, _))) = (&output[..], table.last_key_value()) {
                let bits = table.len().next_power_of_two().ilog2();
                self.small.insert(*class, Small::up_to(most.clone()).of_bits(bits));
            }
            if table.values().all(|digits| digits.len() == 1) {
                let inputs = output.iter().map(|(class, _)| *class).collect();
                let output = evaluate(grid, row, digits.0, None).gradient();
                self.functions.push(Function { inputs, output });
            }
        }
    }

    /// A table of cells: the tuple equals that of the row where it is found, and stays there. Rows with the key 0 ask
    /// for nothing.
    fn found(&mut self, grid: &Grid, pairs: &[Pair]) {
        let (inputs, entries): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let tuple = |row: usize, parts: &[&Expression<Fr>]| {
            parts.iter().map(|part| evaluate(grid, row, part, None)).collect::<Vec<_>>()
        };
        let key =
            |tuple: &[Dual]| tuple.iter().map(|part| part.value.to_repr()).collect::<Vec<_>>();
        let tables: Vec<_> = (0..grid.sheet.usable).map(|row| tuple(row, &entries)).collect();
        let rows: BTreeMap<_, _> =
            tables.iter().enumerate().rev().map(|(row, tuple)| (key(tuple), row)).collect();
        for row in 0..grid.sheet.usable {
            let asked = tuple(row, &inputs);
            if asked[0].value == Fr::zero() {
                continue;
            }
            let entry = rows.get(&key(&asked)).expect("an honest witness finds what it asks for");
            for (mut asked, entry) in asked.into_iter().zip(&tables[*entry]) {
                asked.slopes.extend(entry.slopes.iter().map(|(class, slope)| (*class, -slope)));
                let slopes = asked.gradient();
                if !slopes.is_empty() {
                    self.equations.push(slopes);
                }
            }
        }
    }

    /// The classes in equations and relations, and those that they depend on by functions and definitions.
    pub(super) fn equated(&self) -> BTreeSet<usize> {
        let Self { equations, definitions, turned, relations, functions, .. } = self;
        let classes = equations.iter().chain(turned).flatten().map(|(class, _)| *class);
        let numbers = relations.iter().flat_map(|relation| &relation.slopes);
        let related = numbers.flat_map(|(number, _)| number).copied();
        let mut found: BTreeSet<_> = classes.chain(related).collect();
        let by_functions =
            functions.iter().map(|function| (&function.inputs[..], &function.output));
        let by_definitions = definitions.iter().map(|equation| (&[][..], equation));
        let by_others: Vec<_> = by_functions.chain(by_definitions).collect();
        let mut by = FxHashMap::<usize, Vec<usize>>::default();
        for (number, (_, output)) in by_others.iter().enumerate() {
            for (class, _) in *output {
                by.entry(*class).or_default().push(number);
            }
        }
        let mut open: Vec<_> = found.iter().copied().collect();
        while let Some(class) = open.pop() {
            for number in by.remove(&class).unwrap_or_default() {
                let (inputs, output) = by_others[number];
                let more = inputs.iter().copied().chain(output.iter().map(|(class, _)| *class));
                open.extend(more.filter(|class| found.insert(*class)));
            }
        }
        found
    }
}

/// The polynomials whose names are wanted.
fn polynomials<'a>(
    meta: &'a ConstraintSystem<Fr>,
    is_wanted: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = &'a Expression<Fr>> {
    let all = meta.gates().iter().flat_map(|gate| {
        gate.polynomials().iter().enumerate().map(move |(i, polynomial)| (gate, i, polynomial))
    });
    all.filter(move |(gate, i, _)| is_wanted(gate.constraint_name(*i))).map(|(_, _, p)| p)
}

/// The slopes of the polynomials of this name, where there are any.
fn slopes_of<'a>(
    meta: &'a ConstraintSystem<Fr>,
    grid: &'a Grid,
    wanted: &'a str,
) -> impl Iterator<Item = Equation> + 'a {
    let rows = move |polynomial: &'a Expression<Fr>| {
        (0..grid.sheet.usable).map(move |row| evaluate(grid, row, polynomial, None).gradient())
    };
    let all = polynomials(meta, move |name| name == wanted).flat_map(rows);
    all.filter(|slopes| !slopes.is_empty())
}

/// Whether a polynomial that holds is linear in this class, with this slope.
fn is_linear(
    grid: &Grid,
    row: usize,
    polynomial: &Expression<Fr>,
    (class, slope): (usize, Fr),
) -> bool {
    evaluate(grid, row, polynomial, Some((class, Fr::one()))).value == slope
}

fn classes(equations: &[Equation]) -> BTreeSet<usize> {
    equations.iter().flatten().map(|(class, _)| *class).collect()
}
