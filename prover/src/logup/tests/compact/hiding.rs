//! What a proof publishes is as random as its equations allow, whatever the witness.
//!
//! As in the format `fast`, a commitment is the value of its polynomial at τ. Values of the circuit's columns are not published. What is, is affine in the
//! random numbers of its own round, if those of earlier rounds are held, and has full rank in them:
//!
//! 1. packs of the first round, in their random rows;
//! 2. packs of the second round, the quotient, `W` and `R` together, in the coefficients of multiples of `Xⁿ − 1`;
//! 3. `E` with its value at `x₂`, in the random rows of `e`; `V` with the values of all wires, in theirs;
//! 4. `Z₂`, its two values, and `Q₂`, in four coefficients. `W₂` and the second points of openings follow from what is published.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_testing::sampled;
use muster_verifier::{Column, Protocol, ProtocolParts, Round as PackRound};
use rand::Rng;

use super::{
    super::{
        circuit::circuit,
        copies::nine_columns,
        linear::rank,
        lookups::two_tables,
        sample::{interpolate, rng, Keys, Sample},
    },
    packs::{in_order, packing},
};
use crate::{
    logup::{
        blinded::{value_of, Blinded, BLINDERS},
        openings::Openings,
        run::Round,
        system::KeyColumns,
        system::System,
        trace::{parts, polynomials, Trace},
    },
    polynomial::{powers, Numbers},
    profile::Stopwatch,
};

/// Numbers that are as good as τ and challenges.
fn points<const N: usize>(seed: u64) -> [Fr; N] {
    let mut rng = rng(seed);
    std::array::from_fn(|_| Fr::random(&mut rng))
}

/// By what each coin changes each published number.
fn map(count: usize, published: impl Fn(&[Fr]) -> Numbers) -> Vec<Numbers> {
    let base = published(&vec![Fr::ZERO; count]);
    let mut rows = vec![vec![]; base.len()];
    for coin in 0..count {
        let mut coins = vec![Fr::ZERO; count];
        coins[coin] = Fr::ONE;
        let changed = published(&coins);
        for (row, (changed, base)) in rows.iter_mut().zip(changed.iter().zip(&base)) {
            row.push(*changed - base);
        }
    }
    // The map is affine, so that differences are exact.
    let coins: Numbers = (0..count as u64).map(|coin| Fr::from(coin * coin + 3)).collect();
    let expected = rows.iter().zip(&base).map(|(row, base)| {
        *base + row.iter().zip(&coins).map(|(factor, coin)| *factor * coin).sum::<Fr>()
    });
    assert_eq!(published(&coins), expected.collect::<Numbers>(), "it is affine");
    rows
}

/// All columns of a proof as values, with their blinders.
fn columns(keys: &Keys, sample: &Sample) -> Vec<Blinded> {
    let mut columns = vec![];
    keys.forge(sample, 1, |round, made| {
        if matches!(round, Round::Advice | Round::Multiplicities | Round::Arguments) {
            columns.extend(made.iter().cloned());
        }
        if round == Round::Advice {
            let mut inputs = sample.inputs.clone();
            inputs.resize(sample.protocol.rows(), Fr::ZERO);
            columns.push(Blinded::plain(inputs));
        }
    });
    columns
}

/// The value at τ of each pack of a round.
fn packs(
    system: &System,
    key: &KeyColumns,
    columns: &[Blinded],
    round: PackRound,
    tau: Fr,
) -> Numbers {
    let stride = system.bases.stride as u64;
    let (z, all) = (tau.pow([stride]), polynomials(system, key, columns));
    let vanishing = z.pow([system.protocol.rows() as u64]) - Fr::ONE;
    let value = |place: usize| {
        let of = all[place];
        value_of(&of.numbers, z) + vanishing * value_of(&of.blinders, z)
    };
    let pack =
        |pack| system.places(pack).zip(powers(tau)).map(|(at, power)| power * value(at)).sum();
    system.round(round).map(pack).collect()
}

/// With so many coefficients in each column: packs of the second round, the quotient, `W` and `R`.
fn second_round(keys: &Keys, columns: &[Blinded], first: usize, blinders: usize) -> Vec<Numbers> {
    let (system, key) = (&keys.prover.system, &keys.columns);
    let [tau, x, alpha, u, ..] = points::<9>(11);
    let challenges = &points::<9>(11)[4..];
    let count = columns.len() - first;
    map(count * blinders, |coins| {
        let mut columns = columns.to_vec();
        for (column, coins) in columns[first..].iter_mut().zip(coins.chunks(blinders)) {
            column.blinders = coins.to_vec();
        }
        for column in &mut columns {
            system.domain.to_coefficients(&mut column.numbers);
        }
        let (mut random, mut watch) = (rng(1), Stopwatch::start());
        let mut trace = Trace { system, key, rng: &mut random, watch: &mut watch };
        let quotient = trace.quotient(&columns, challenges).concat();
        let mut published = packs(system, key, &columns, PackRound::Second, tau);
        published.push(value_of(&quotient, tau));
        let parts = parts(system, key, &columns, x);
        let openings = Openings::new(system, &parts, quotient, (x, alpha));
        let first = openings.first();
        published.push(value_of(&first, tau));
        published.push(openings.second(&first, u).unwrap().remainder);
        published
    })
}

#[test]
fn the_circuits_packs_show_random_numbers() {
    let small = [two_tables(), nine_columns()].map(|sample| (0, sample));
    let random = sampled(0..400, 100).into_iter().map(|seed| (seed, circuit(seed)));
    for (seed, sample) in small.into_iter().chain(random) {
        let mut coins = rng(seed);
        let stride = coins.gen_range(1..=8);
        let keys = Keys::compact(&sample, packing(&sample.protocol, stride, &mut coins));
        let columns = columns(&keys, &sample);
        let (rows, usable) = (sample.protocol.rows(), sample.protocol.usable());
        let (system, key) = (&keys.prover.system, &keys.columns);
        let [tau] = points(5);

        let first = sample.protocol.advice() + 1 + sample.protocol.tables().len();
        let random = rows - usable;
        let of_rows = map(first * random, |coins| {
            let mut columns = columns.clone();
            for (place, (column, coins)) in
                columns[..first].iter_mut().zip(coins.chunks(random)).enumerate()
            {
                if place != sample.protocol.advice() {
                    column.numbers[usable..].copy_from_slice(coins);
                }
            }
            columns
                .iter_mut()
                .for_each(|column| system.domain.to_coefficients(&mut column.numbers));
            packs(system, key, &columns, PackRound::First, tau)
        });
        assert_eq!(rank(&of_rows), of_rows.len(), "the first round of {seed}");

        let published = second_round(&keys, &columns, first, BLINDERS);
        assert_eq!(rank(&published), published.len(), "the second round of {seed}");
    }
}

/// One column in the second round: its pack, the quotient, `W` and `R` are four numbers, and three coefficients do not hide them.
#[test]
fn four_coefficients_are_needed() {
    let parts = ProtocolParts {
        k: 3,
        usable: 5,
        fixed: 0,
        advice: 2,
        inputs: 0,
        nodes: vec![],
        constraints: vec![],
        tables: vec![],
        copied: vec![Column::Advice(0), Column::Advice(1)],
    };
    let protocol = Protocol::new(parts).unwrap();
    let next = Sample::no_copies(&protocol);
    let advice = vec![points::<8>(1).to_vec(), points::<8>(2).to_vec()];
    let sample = Sample { protocol, fixed: vec![], next, advice, inputs: vec![] };
    let keys = Keys::compact(&sample, in_order(&sample.protocol, 2));
    let columns = columns(&keys, &sample);
    let first = columns.len() - 1;
    for blinders in 1..=BLINDERS {
        let published = second_round(&keys, &columns, first, blinders);
        assert_eq!((published.len(), rank(&published)), (4, blinders));
    }
}

/// The decider's columns.
#[test]
fn the_deciders_packs_show_random_numbers() {
    let sample = super::super::every::every(0);
    let keys = Keys::compact(&sample, in_order(&sample.protocol, 4));
    let decider = keys.prover.decider.as_ref().unwrap();
    let (system, key) = (&decider.system, &decider.key);
    let (rows, usable) = (system.protocol.rows(), system.protocol.usable());
    let mut made = vec![];
    let mut values = vec![];
    keys.forge(&sample, 1, |round, columns| match round {
        Round::Values => values.clone_from(columns),
        Round::Wires => made.clone_from(columns),
        Round::DeciderProduct => {
            made.append(&mut values);
            made.push(Blinded::plain(vec![Fr::ZERO; rows]));
            made.extend(columns.iter().cloned());
        }
        _ => {}
    });
    let [tau, x] = points(3);
    let at = |column: &[Fr], point: Fr| interpolate(column, point);

    let of_values = map(4, |coins| {
        let mut column = made[4].numbers.clone();
        column[usable..].copy_from_slice(coins);
        [tau.pow([10]), x].map(|point| at(&column, point)).to_vec()
    });
    assert_eq!(rank(&of_values), 2);

    let of_wires = map(12, |coins| {
        let mut wires: Vec<Numbers> = made[..4].iter().map(|wire| wire.numbers.clone()).collect();
        for (wire, coins) in wires.iter_mut().zip(coins.chunks(4)) {
            wire[usable..].copy_from_slice(coins);
        }
        let shown = [wires[2][usable], wires[2][usable + 1]];
        wires[3][usable..usable + 2].copy_from_slice(&shown);
        let mut published: Numbers = wires.iter().map(|wire| at(wire, x)).collect();
        let places = wires.iter().zip(powers(tau));
        published.push(places.map(|(wire, power)| power * at(wire, tau.pow([10]))).sum());
        published
    });
    assert_eq!(rank(&of_wires), 5);

    for blinders in 1..=BLINDERS {
        let of_product = map(blinders, |coins| {
            let mut columns = made.clone();
            columns.last_mut().unwrap().blinders = coins.to_vec();
            for column in &mut columns {
                system.domain.to_coefficients(&mut column.numbers);
            }
            let (mut random, mut watch) = (rng(1), Stopwatch::start());
            let mut trace = Trace { system, key, rng: &mut random, watch: &mut watch };
            let quotient = trace.quotient(&columns, &points::<5>(8)).concat();
            let shown = parts(system, key, &columns, x).pop().unwrap();
            let mut published = shown.values[0].clone();
            published.extend(packs(system, key, &columns, PackRound::Second, tau));
            published.push(value_of(&quotient, tau));
            published
        });
        assert_eq!((of_product.len(), rank(&of_product)), (4, blinders));
    }
}

/// What the tests above count on is drawn: no random row and no coefficient of the decider is that of another proof, and `d` follows.
#[test]
fn coins_are_where_they_are_said_to_be() {
    let sample = super::super::every::every(0);
    let keys = Keys::compact(&sample, in_order(&sample.protocol, 4));
    let decider = &keys.prover.decider.as_ref().unwrap().system;
    let usable = decider.protocol.usable();
    let [one, two] = [1, 2].map(|seed| {
        let mut all = vec![];
        keys.forge(&sample, seed, |round, made| {
            if matches!(round, Round::Values | Round::Wires | Round::DeciderProduct) {
                all.extend(made.iter().cloned());
            }
        });
        all
    });
    for place in 0..4 {
        // The values, and a, b, c.
        let [one, two] = [&one, &two].map(|all: &Vec<Blinded>| &all[place].numbers[usable..]);
        assert!(one.len() == 4 && one.iter().zip(two).all(|(one, two)| one != two), "{place}");
    }
    let (c, d) = (&one[3].numbers[usable..], &one[4].numbers[usable..]);
    assert_eq!(d, [c[0], c[1], Fr::ZERO, Fr::ZERO]);
    let (one, two) = (&one[5].blinders, &two[5].blinders);
    assert!(one.len() == BLINDERS && one.iter().zip(two).all(|(one, two)| one != two));
}
