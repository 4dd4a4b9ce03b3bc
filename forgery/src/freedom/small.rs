//! Classes of finitely many values, and equations that tell these apart.

use std::collections::BTreeMap;

use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    utils::{biguint_to_fe, fe_to_biguint, modulus},
};
use num_bigint::BigUint;

/// A class of finitely many values.
#[derive(Clone, Debug)]
pub(super) struct Small {
    /// The logarithm of their number.
    pub(super) bits: u32,
    /// If they are integers: two of them differ by a multiple of the first number, up to the second.
    pub(super) span: Option<(BigUint, BigUint)>,
}

impl Small {
    /// The integers below `2^bits`.
    pub(super) fn below(bits: u32) -> Self {
        let one = BigUint::from(1u8);
        Self { bits, span: Some((one.clone(), (&one << bits) - one)) }
    }

    /// The integers up to `most`.
    pub(super) fn up_to(most: BigUint) -> Self {
        Self { bits: most.bits() as u32, span: Some((BigUint::from(1u8), most)) }
    }

    /// The same, if only `2^bits` of them are possible.
    pub(super) fn of_bits(self, bits: u32) -> Self {
        Self { bits, ..self }
    }

    /// Digits about which only the number of their values is known.
    pub(super) fn counted(bits: u32) -> Self {
        Self { bits, span: None }
    }

    /// These integers.
    pub(super) fn values(values: &[i64]) -> Option<Self> {
        let steps = values.windows(2).map(|pair| pair[1] - pair[0]).min()?;
        let most = values[values.len() - 1] - values[0];
        let [least, most] = [steps, most].map(|by| BigUint::from(by.unsigned_abs()));
        let bits = values.len().next_power_of_two().ilog2();
        Some(Self { bits, span: Some((least, most)) })
    }
}

/// A class in an equation.
pub(super) struct Term<'a> {
    pub(super) class: usize,
    /// What it is multiplied by.
    pub(super) slope: Fr,
    /// What it may be.
    pub(super) small: &'a Small,
}

/// A class that takes steps.
struct Step {
    class: usize,
    /// What one step adds to the equation.
    pub slope: Fr,
    /// The most steps.
    most: BigUint,
}

/// Classes with the same slope, up to its sign: the equation knows only their sum.
#[derive(Default)]
struct Group {
    /// What they reach together, in multiples of the slope.
    reach: BigUint,
    members: Vec<usize>,
}

/// The classes of `Σ slope·class = c` that have one value each, whatever `c` is. There are none unless
/// each slope exceeds what those below it can reach, in integers below the native prime: then two
/// solutions agree everywhere, from the largest slope down.
///
/// `scales` are what slopes may be multiples of.
pub(super) fn told_apart(terms: &[Term<'_>], scales: &[Fr]) -> Vec<usize> {
    // More values than the field has elements cannot be told apart.
    if terms.iter().map(|term| term.small.bits).sum::<u32>() > Fr::NUM_BITS {
        return vec![];
    }
    let steps: Option<Vec<_>> = terms.iter().map(step).collect();
    let Some(steps) = steps else { return vec![] };
    let units = scales.iter().filter_map(|scale| inverse(*scale));
    let slopes = steps.iter().take(MOST_UNITS).filter_map(|step| inverse(step.slope));
    let mut scales = units.flat_map(|unit| [unit, unit * Fr::TWO_INV]).chain(slopes);
    let groups = scales.find_map(|scale| grows(groups(&steps, scale)?));
    let single = groups.into_iter().flatten().filter(|(_, group)| group.members.len() == 1);
    single.flat_map(|(_, group)| group.members).collect()
}

/// The inverse; most numbers here are 1 or −1.
fn inverse(number: Fr) -> Option<Fr> {
    if number == Fr::ONE || number == -Fr::ONE {
        return Some(number);
    }
    number.invert().into()
}

/// How many slopes are tried as the unit of all.
const MOST_UNITS: usize = 8;

/// The steps of a class, if they are known.
fn step(term: &Term<'_>) -> Option<Step> {
    let (least, most) = term.small.span.as_ref()?;
    let slope = biguint_to_fe::<Fr>(least) * term.slope;
    Some(Step { class: term.class, slope, most: most / least })
}

/// The groups in the order of their slopes, if all together stay below the native prime.
fn groups(steps: &[Step], scale: Fr) -> Option<BTreeMap<BigUint, Group>> {
    let mut groups = BTreeMap::<BigUint, Group>::new();
    let (mut reach, prime) = (BigUint::ZERO, modulus::<Fr>());
    for Step { class, slope, most } in steps {
        let slope = slope * scale;
        let slope = fe_to_biguint(&slope).min(fe_to_biguint(&-slope));
        reach += &slope * most;
        if reach >= prime {
            return None;
        }
        let group = groups.entry(slope).or_default();
        group.reach += most;
        group.members.push(*class);
    }
    Some(groups)
}

/// The same groups, if each slope exceeds what those below it can reach.
fn grows(groups: BTreeMap<BigUint, Group>) -> Option<BTreeMap<BigUint, Group>> {
    let mut reach = BigUint::ZERO;
    for (slope, group) in &groups {
        if *slope <= reach {
            return None;
        }
        reach += slope * &group.reach;
    }
    Some(groups)
}
