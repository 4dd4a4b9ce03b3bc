//! What keys of translations depend on, what their circuits take, and pins.

use halo2_base::utils::modulus;
use muster_gates::{
    foreign::{Block, ForeignLayout},
    Usage,
};

use super::{super::material::Material, *};
use crate::CircuitShape;

/// Commitment, capacity, degree, and the digest as in [`super::super::pins`].
const PINS: [(CommitmentKind, usize, u32, &str); 8] = [
    (
        CommitmentKind::Addresses,
        4,
        13,
        "2f4f9dfc81efb0779df21d5c0846883a52ff9bd0a43971943cdd9b59fc2c5a3d",
    ),
    (
        CommitmentKind::Cometbft,
        4,
        13,
        "48c4e3c1395bdd3e06c9030473bd8d0ef68795df142176f4d3c3054ce0d52c74",
    ),
    (
        CommitmentKind::SyncCommittee,
        2,
        13,
        "ea097037ef019bc07a910be560242e6571bab74e6c49162e008796edec40c18c",
    ),
    (
        CommitmentKind::Beefy,
        4,
        13,
        "9a24d5d485295b83774ed309e0d754d5ab19cf9ec5b580bc01d5fb54989c0c1f",
    ),
    (
        CommitmentKind::Semaphore,
        4,
        11,
        "6fac46dcf1714b552d0010ab2b25d466340d0c899c401735c414c6274dffa7b3",
    ),
    (
        CommitmentKind::Aptos,
        3,
        13,
        "52775e531222b38438c22280999ab7747e07063d27dec04f9e4fc08ae705f354",
    ),
    (
        CommitmentKind::Sui,
        3,
        14,
        "78bfb1b61de294be34c137c82a26da03053c24f22c7ac9a0ef39b66151550ce2",
    ),
    (
        CommitmentKind::Axelar,
        4,
        13,
        "3305f648a9ba8fd75f4762c9ec917995c2e2742670b9bf038a0b366d6788b283",
    ),
];

#[test]
fn keys_are_those_of_earlier_versions() {
    let mut changed = vec![];
    for (kind, capacity, degree, pin) in PINS {
        let wanted =
            TranslationRequest { degree: Some(degree), ..TranslationRequest::new(kind, capacity) };
        let shape = TranslationShape::fit(&wanted).expect("the pinned shape fits its degree");
        let digest = Material::of(&shape.keygen_circuit(), degree).pin();
        if digest != pin {
            changed.push(format!("{kind} {capacity}: {digest}, pinned {pin:?}"));
        }
    }
    assert!(changed.is_empty(), "see `pins.rs`:\n{}", changed.join("\n"));
}

/// Sets of other sizes, and a witness that is no good, have the same key; a count is that of the filled circuit.
#[test]
fn the_set_plays_no_part_in_the_key() {
    for &kind in CommitmentKind::ALL {
        let shape = shape(kind, 4);
        assert_eq!(shape.check(), Ok(()));
        let keygen = shape.keygen_circuit();
        assert!(keygen.fits());
        assert_eq!(keygen.gates.usage(), shape.usage(), "{kind}");
        let mut circuits = vec![keygen];
        let mut sets = vec![members(kind, 4)];
        sets.push(if kind.is_of_seats() {
            [0, 1, 1, 0].map(|number| member(kind, number)).to_vec()
        } else {
            members(kind, 1)
        });
        for set in sets {
            let witness = shape.witness(&committee(&set)).unwrap();
            circuits.push(shape.circuit(&witness, false).unwrap());
        }
        let mut bad = Claim::new(&shape, &members(kind, 3), &members(kind, 2)).inputs;
        bad.leaves[0].weights[1] = u64::MAX;
        bad.keys[0].fill(0xff);
        circuits.push(record(&shape, &bad, Gates::new(&shape.layout, false)));
        let keys: Vec<_> =
            circuits.iter().map(|circuit| Material::of(circuit, shape.degree())).collect();
        assert!(keys.windows(2).all(|pair| pair[0] == pair[1]), "{kind}");
    }
}

/// A shape from a file has the columns that are planned for it, or it is refused.
#[test]
fn shapes_with_other_columns_are_refused() {
    for &kind in CommitmentKind::ALL {
        let own = shape(kind, 4);
        let text = serde_json::to_string(&own).unwrap();
        assert_eq!(serde_json::from_str::<TranslationShape>(&text).unwrap(), own);
        let changes: [fn(&mut TranslationShape); 10] = [
            |shape| shape.layout.vertical_columns += 1,
            |shape| shape.layout.range_columns += 1,
            |shape| shape.layout.range_bits = 9,
            |shape| shape.layout.k = 64,
            |shape| shape.layout.constant_rows += 1,
            |shape| shape.layout.keccak_lanes += 1,
            |shape| shape.layout.poseidon.clear(),
            |shape| shape.capacity = 0,
            |shape| shape.capacity = 1 << 40,
            |shape| shape.arity = 3,
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut other = own.clone();
            change(&mut other);
            assert!(other.check().is_err(), "{kind}: {number}");
        }
        for depth in [0, 33, usize::MAX] {
            assert!(TranslationShape { depth, ..own.clone() }.check().is_err(), "{kind}: {depth}");
        }
        let other = KINDS.into_iter().find(|other| *other != kind).unwrap();
        assert!(TranslationShape { commitment: other, ..own }.check().is_err(), "{kind}");
    }
}

/// Cells and rows of a whole circuit; SHA-256 in rows of four bits, of lists of Aptos and Sui of three.
#[derive(Debug, PartialEq)]
struct Cost {
    vertical: usize,
    range: usize,
    permutations: usize,
    keccak_rows: usize,
    sha256_rows: usize,
    relations: usize,
}

fn cost(kind: CommitmentKind, capacity: usize, degree: u32) -> Cost {
    let wanted =
        TranslationRequest { degree: Some(degree), ..TranslationRequest::new(kind, capacity) };
    let shape = TranslationShape::fit(&wanted).expect("it fits its degree");
    let usage = shape.usage();
    let Usage { vertical_cells, range_cells, poseidon, keccak_rows, sha256_rows, .. } = usage;
    let permutations = poseidon.iter().map(|(_, count, _)| count).sum();
    let rows = |layout: &ForeignLayout| {
        Block::new(modulus::<Fr>(), layout, shape.layout.range_bits).rows()
    };
    let relations =
        shape.layout.foreign.first().map_or(0, |gate| usage.foreign_rows[0] / rows(gate));
    Cost {
        vertical: vertical_cells,
        range: range_cells,
        permutations,
        keccak_rows,
        sha256_rows,
        relations,
    }
}

/// The figures of the README in `gadgets/src/membership/translation`.
#[test]
fn circuits_of_the_sizes_that_chains_have() {
    let guardians = Cost {
        vertical: 4_253,
        range: 252,
        permutations: 6,
        keccak_rows: 8_917,
        sha256_rows: 0,
        relations: 0,
    };
    let validators = Cost {
        vertical: 318_088,
        range: 53_268,
        permutations: 199,
        keccak_rows: 0,
        sha256_rows: 253_280,
        relations: 0,
    };
    let seats = Cost {
        vertical: 126_650,
        range: 69_700,
        permutations: 139,
        keccak_rows: 0,
        sha256_rows: 1_148_000,
        relations: 5_135,
    };
    let authorities = Cost {
        vertical: 1_496_685,
        range: 7_200,
        permutations: 189,
        keccak_rows: 2_121_993,
        sha256_rows: 0,
        relations: 0,
    };
    let group = Cost {
        vertical: 57_155,
        range: 848,
        permutations: 230,
        keccak_rows: 0,
        sha256_rows: 0,
        relations: 0,
    };
    let aptos = Cost {
        vertical: 81_166,
        range: 12_956,
        permutations: 44,
        keccak_rows: 0,
        sha256_rows: 98_780,
        relations: 1_523,
    };
    let sui = Cost {
        vertical: 117_607,
        range: 17_592,
        permutations: 68,
        keccak_rows: 0,
        sha256_rows: 106_656,
        relations: 2_446,
    };
    let signers = Cost {
        vertical: 40_736,
        range: 924,
        permutations: 24,
        keccak_rows: 64_051,
        sha256_rows: 0,
        relations: 0,
    };
    let found = [
        cost(CommitmentKind::Addresses, 19, 14),
        cost(CommitmentKind::Cometbft, 150, 16),
        cost(CommitmentKind::SyncCommittee, 512, 18),
        cost(CommitmentKind::Beefy, 600, 18),
        cost(CommitmentKind::Semaphore, 100, 14),
        cost(CommitmentKind::Aptos, 150, 17),
        cost(CommitmentKind::Sui, 120, 17),
        cost(CommitmentKind::Axelar, 75, 14),
    ];
    let expected = [guardians, validators, seats, authorities, group, aptos, sui, signers];
    assert_eq!(found, expected);
}
