//! Which polynomials share a commitment in the format `compact`. Section 9 of the specification, rules 10 to 12.

use std::collections::BTreeSet;

use crate::{
    arrangement::{Opened, Polynomial},
    error::PackingError,
    parts::Column,
    protocol::Protocol,
};

/// The greatest stride.
const STRIDE: u32 = 256;
/// How many inputs a circuit may have.
const INPUTS: usize = 1024;
/// How many times they may be read, each at each rotation of their column. The decider inverts as many numbers.
const SHOWN: usize = 4096;
/// At how many rows a pack may be opened, and how many values the packs may have. The decider computes with each of
/// them, and a stranger's key says how many.
const ROTATIONS: usize = 256;
const VALUES: usize = 1 << 14;
/// Nodes, and constraints: a decider has as many rows at most.
const NODES: usize = 1 << 16;

/// When a polynomial is committed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Round {
    /// In the key: fixed columns and σ.
    Key,
    /// Before the first challenges: advice columns and multiplicities.
    First,
    /// After them: helpers, sum, product and differences.
    Second,
}

impl Round {
    /// The round of a polynomial that a pack may hold.
    pub fn of(polynomial: Polynomial) -> Self {
        match polynomial {
            Polynomial::Advice(_) | Polynomial::Multiplicity(_) => Self::First,
            Polynomial::Fixed(_) | Polynomial::Sigma(_) => Self::Key,
            _ => Self::Second,
        }
    }
}

/// Polynomials behind one commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    /// The number of the polynomial in each place: its place in [`Arrangement::polynomials`](crate::Arrangement::polynomials).
    pub polynomials: Vec<usize>,
    /// The rotations at which all of them are opened, ascending.
    pub rotations: Vec<i32>,
    /// When the pack is committed to.
    pub round: Round,
}

/// A circuit whose polynomials share commitments. A value that exists obeys every rule of the specification but the one
/// on the decider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    protocol: Protocol,
    stride: u32,
    packs: Vec<Pack>,
}

impl Packing {
    /// The packing of a protocol, with the numbers of the polynomials in each pack, in the order of places.
    ///
    /// # Errors
    ///
    /// If it breaks a rule of section 9 of the specification.
    pub fn new(
        protocol: Protocol,
        stride: u32,
        packs: Vec<Vec<usize>>,
    ) -> Result<Self, PackingError> {
        check_stride(stride)?;
        check_equation(&protocol)?;
        check_places(&protocol, stride, &packs)?;
        let packs = packs.into_iter().enumerate();
        let packs = packs.map(|(number, polynomials)| pack(&protocol, number, polynomials));
        let packs: Vec<Pack> = packs.collect::<Result<_, _>>()?;
        let later = packs.windows(2).position(|pair| pair[0].round > pair[1].round);
        if let Some(place) = later {
            return Err(PackingError::Order(place + 1));
        }
        let values: usize =
            packs.iter().map(|pack| pack.rotations.len() * pack.polynomials.len()).sum();
        if values > VALUES {
            return Err(PackingError::TooManyValues(values));
        }
        Ok(Self { protocol, stride, packs })
    }

    /// The circuit.
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// How many places a pack has.
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// The packs, in order.
    pub fn packs(&self) -> &[Pack] {
        &self.packs
    }

    /// How many packs are of a round.
    pub fn count(&self, round: Round) -> usize {
        self.packs.iter().filter(|pack| pack.round == round).count()
    }

    /// How many public inputs the decider has.
    pub(crate) fn public_inputs(&self) -> usize {
        self.protocol.inputs() + CHALLENGES + self.packs.len() + 1
    }
}

/// How many challenges are public inputs of the decider.
const CHALLENGES: usize = 8;

/// The polynomials that packs hold: all but the quotient.
fn packed(protocol: &Protocol) -> &[Opened] {
    let all = protocol.arrangement().polynomials();
    all.split_last().map_or(all, |(_, packed)| packed)
}

/// The number of places.
pub(crate) fn check_stride(stride: u32) -> Result<(), PackingError> {
    if (1..=STRIDE).contains(&stride) {
        Ok(())
    } else {
        Err(PackingError::Stride(stride))
    }
}

/// Rule 12.
pub(crate) fn check_equation(protocol: &Protocol) -> Result<(), PackingError> {
    let (nodes, constraints) = (protocol.nodes().len(), protocol.constraints().len());
    if nodes.max(constraints) > NODES {
        return Err(PackingError::Equation { nodes, constraints });
    }
    if protocol.inputs() > INPUTS {
        return Err(PackingError::Inputs(protocol.inputs()));
    }
    let (inputs, rotations) = (protocol.inputs(), protocol.rotations(Column::Inputs).len());
    if inputs * rotations > SHOWN {
        return Err(PackingError::Shown { inputs, rotations });
    }
    Ok(())
}

/// No pack is empty and no polynomial stands in two, so there are no more packs than polynomials.
pub(crate) fn check_count(protocol: &Protocol, found: usize) -> Result<(), PackingError> {
    let polynomials = packed(protocol).len();
    if found > polynomials {
        return Err(PackingError::TooManyPacks { found, polynomials });
    }
    Ok(())
}

/// A pack is not empty, and has no more than the stride.
pub(crate) fn check_size(pack: usize, found: usize, stride: u32) -> Result<(), PackingError> {
    if found == 0 || found > stride as usize {
        return Err(PackingError::Size { pack, found });
    }
    Ok(())
}

/// Every polynomial stands in exactly one place, and no pack is empty or has more than the stride.
fn check_places(
    protocol: &Protocol,
    stride: u32,
    packs: &[Vec<usize>],
) -> Result<(), PackingError> {
    check_count(protocol, packs.len())?;
    let all = packed(protocol);
    let mut seen = vec![false; all.len()];
    for (pack, polynomials) in packs.iter().enumerate() {
        check_size(pack, polynomials.len(), stride)?;
        for &number in polynomials {
            let seen =
                seen.get_mut(number).ok_or(PackingError::NoSuchPolynomial { pack, number })?;
            if std::mem::replace(seen, true) {
                return Err(PackingError::Twice(all[number].polynomial));
            }
        }
    }
    match seen.iter().position(|&seen| !seen) {
        Some(number) => Err(PackingError::Missing(all[number].polynomial)),
        None => Ok(()),
    }
}

/// A pack of polynomials that exist.
fn pack(protocol: &Protocol, number: usize, polynomials: Vec<usize>) -> Result<Pack, PackingError> {
    let all = packed(protocol);
    let opened = || polynomials.iter().map(|&polynomial| &all[polynomial]);
    let rounds: BTreeSet<Round> = opened().map(|opened| Round::of(opened.polynomial)).collect();
    let (Some(&round), 1) = (rounds.first(), rounds.len()) else {
        return Err(PackingError::Rounds(number));
    };
    let rotations: BTreeSet<i32> =
        opened().flat_map(|opened| opened.rotations.iter().copied()).collect();
    if rotations.len() > ROTATIONS {
        return Err(PackingError::TooManyRotations(number));
    }
    let rows = rotations.iter().map(|rotation| rotation.rem_euclid(1 << protocol.k()));
    if rows.collect::<BTreeSet<i32>>().len() < rotations.len() {
        return Err(PackingError::EqualRotations(number));
    }
    Ok(Pack { rotations: rotations.into_iter().collect(), polynomials, round })
}
