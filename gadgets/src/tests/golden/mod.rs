//! What each operation costs, against `golden/cost.json`.
//!
//! The file is rewritten with `MUSTER_UPDATE_GOLDEN=1`; a change of it belongs into the commit that causes it.
//! Cells are advice cells; `edwards_rows` have six each, `keccak_rows` 17, `sha256_rows` as many as their
//! gate has columns, `sha512_rows` three times the bits of a row and two. `lookups` counts rows that are looked up.

use std::{collections::BTreeMap, path::PathBuf, sync::OnceLock};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context, QuantumCell};

use crate::{
    hash::{keccak, sha256},
    membership::tree,
    signature::{
        batch::HASH_WIDTH,
        cometbft,
        embedded::{AssignedPoint, EmbeddedScheme, RawPoint},
        instructions::{AssignedClaim, AssignedSigner},
    },
};
use muster_forgery::testing::SHA256_GATE;
use muster_gates::{
    edwards::{Member, LONG_DIGITS, SHORT_DIGITS},
    GateContext, Gates, Layout, PoseidonLayout, Usage,
};
use muster_schemes::{
    curve::edwards::{mul_generator, Scalar},
    hash::sha256::Midstate,
    membership::{Leaf, MemberPath, MerklePath},
    signature::{eddsa::Eddsa, musig::Musig, schnorr::Schnorr},
};

type Row = BTreeMap<String, usize>;
mod aggregate;
mod bls;
mod ed25519;
mod foreign;
mod mask;
mod pairing;
mod set;
mod sha512;
mod to_curve;
mod translation;
mod vertical;

type Costs = BTreeMap<String, Row>;

/// Widths that circuits use: nodes of 2, 4, 5, 8 and 16 children.
const WIDTHS: [usize; 5] = [3, 5, 6, 9, 17];
/// Differences are taken over so many signatures: the transcript fills whole permutations.
const MORE: usize = 10;

/// One S-box a row for the hashes, as most shapes have it, and limbs of 12 bits.
fn layout(widths: &[usize]) -> Layout {
    let poseidon = widths.iter().map(|&width| PoseidonLayout { width, columns: 1, lanes: 1 });
    Layout {
        k: 14,
        vertical_columns: 1,
        range_columns: 1,
        range_bits: 12,
        poseidon: poseidon.collect(),
        edwards_lanes: 1,
        constant_rows: 128,
        ..Layout::default()
    }
}

fn usage(widths: &[usize], build: impl FnOnce(&mut GateContext)) -> Usage {
    let mut gates = Gates::new(&layout(widths), false);
    let ctx = &mut gates.context();
    build(ctx);
    gates.usage()
}

/// What `more` takes beyond `less`, divided by `count`; `digits` are the lookups of the Edwards gate.
fn difference(more: &Usage, less: &Usage, count: usize, digits: usize) -> BTreeMap<String, usize> {
    let each = |more: usize, less: usize| {
        assert!((more - less).is_multiple_of(count), "{more} - {less} is no multiple of {count}");
        (more - less) / count
    };
    let hash = |usage: &Usage| usage.poseidon.iter().map(|(_, _, cells)| cells).sum::<usize>();
    let rows = each(more.edwards_rows, less.edwards_rows);
    let poseidon = each(hash(more), hash(less));
    let vertical = each(more.vertical_cells, less.vertical_cells);
    let range = each(more.range_cells, less.range_cells);
    BTreeMap::from([
        ("edwards_rows".into(), rows),
        ("poseidon_cells".into(), poseidon),
        ("vertical_cells".into(), vertical),
        ("range_cells".into(), range),
        ("lookups".into(), range + digits),
        ("cells".into(), 6 * rows + poseidon + vertical + range),
    ])
}

fn point(number: usize) -> RawPoint {
    let point = mul_generator(&Scalar::from(number as u64 + 2)).to_affine();
    RawPoint { x: point.x(), y: point.y() }
}

/// `count` keys, checked, and their signatures, without leaves and members.
fn signatures<S: EmbeddedScheme>(count: usize) -> Usage {
    usage(&[HASH_WIDTH], |ctx| {
        let message = Fr::from(5);
        let weight = ctx.load_constant(Fr::one());
        let claim = AssignedClaim { key_set_root: weight, message: ctx.load_witness(message) };
        let signers: Vec<_> = (0..count)
            .map(|i| {
                let public_key = AssignedPoint::new(ctx, 0, &point(i));
                AssignedSigner { public_key, weight }
            })
            .collect();
        let count = if S::TOGETHER { 1 } else { count };
        let signatures = vec![S::padding_signature(&message); count];
        S::assert_all(ctx, &claim, &signers, &signatures);
    })
}

fn poseidon(costs: &mut Costs) {
    for width in WIDTHS {
        let of = |count: usize| {
            usage(&[width], |ctx| {
                let state = vec![QuantumCell::Witness(Fr::one()); width];
                (0..count).for_each(|_| drop(ctx.chips.poseidon(width).permute(&state)));
            })
        };
        costs.insert(
            format!("poseidon: permutation, width {width}"),
            difference(&of(2), &of(1), 1, 0),
        );
    }
    // Three S-boxes a row: a third of the rows for about as many cells.
    let mut wide = layout(&WIDTHS);
    wide.poseidon.iter_mut().for_each(|poseidon| poseidon.columns = 3);
    let mut gates = Gates::new(&wide, false);
    let ctx = &mut gates.context();
    for width in WIDTHS {
        let cells = BTreeMap::from([("cells".into(), ctx.chips.poseidon(width).cells_each())]);
        costs.insert(format!("poseidon: permutation, width {width}, three a row"), cells);
    }
}

fn range(costs: &mut Costs) {
    for bits in [32, 72, 128] {
        let of = |count: usize| {
            usage(&[], |ctx| {
                (0..count).for_each(|_| {
                    ctx.range.check(QuantumCell::Witness(Fr::one()), bits);
                });
            })
        };
        costs.insert(format!("range: {bits} bits"), difference(&of(1), &of(0), 1, 0));
    }
    let amounts = |count: usize| {
        usage(&[], |ctx| {
            (0..count).for_each(|_| {
                ctx.range.check_amount(QuantumCell::Witness(Fr::one()));
            });
        })
    };
    costs.insert("range: amount".into(), difference(&amounts(1), &amounts(0), 1, 0));
}

fn batch(costs: &mut Costs) {
    let digits = LONG_DIGITS + SHORT_DIGITS;
    let mut insert = |name: &str, of: &dyn Fn(usize) -> Usage, more, count, digits| {
        costs.insert(name.into(), difference(&of(2 * more), &of(more), count, digits));
    };
    // Coefficients come in pairs.
    insert("schnorr: two more signatures", &signatures::<Schnorr>, MORE, MORE / 2, 2 * digits);
    insert("eddsa: two more signatures", &signatures::<Eddsa>, MORE, MORE / 2, 2 * digits);
    // Twenty keys fill five blocks of the list and two of the coefficients.
    insert("musig: 20 more signers", &signatures::<Musig>, 20, 1, 20 * SHORT_DIGITS);
}

fn membership(costs: &mut Costs) {
    let leaf = Leaf::named([Fr::one(); 4], [1; 4]);
    // 25 leaves of arity 5: a row a member, and a fifth of a node and of those above it.
    let of = |leaves: usize| {
        usage(&[6], |ctx| {
            let set = tree::whole_set(ctx, &vec![leaf.clone(); leaves], 5, 2);
            let cells = |(x, weight)| [x, weight].map(QuantumCell::Existing).into();
            let members: Vec<_> = set.members.into_iter().map(cells).collect();
            ctx.chips.edwards.set(0, &members);
        })
    };
    costs.insert("membership: 20 members of a set".into(), difference(&of(25), &of(20), 1, 0));
    let of = |count: usize| {
        usage(&[6], |ctx| {
            let x = ctx.load_zero();
            let member = Member { slot: 0, offset: Fr::zero(), x, weight: Fr::zero() };
            ctx.chips.edwards.look_up_unbounded(0, &vec![member; count]);
        })
    };
    costs.insert("membership: a member looked up".into(), difference(&of(2), &of(1), 1, 1));
    let path = |arity: usize, depth: usize| {
        let mut widths = vec![HASH_WIDTH, arity + 1];
        widths.dedup();
        usage(&widths, |ctx| {
            let path = MerklePath { index: 0, levels: vec![vec![Fr::one(); arity]; depth] };
            let x = ctx.load_constant(Fr::one());
            tree::path(ctx, x, &MemberPath { leaf: leaf.clone(), position: 0, path });
        })
    };
    for arity in [2, 4, 5, 8, 16] {
        let name = format!("membership: a level of a path, arity {arity}");
        costs.insert(name, difference(&path(arity, 3), &path(arity, 2), 1, 0));
    }
    let none = usage(&[HASH_WIDTH], |ctx| {
        ctx.load_constant(Fr::one());
    });
    let level = difference(&path(5, 2), &path(5, 1), 1, 0)["cells"];
    let leaf = difference(&path(5, 1), &none, 1, 0);
    let cells = leaf["cells"] - level;
    costs
        .insert("membership: the leaf of a path".into(), BTreeMap::from([("cells".into(), cells)]));
}

/// Cells and lookups of a row of the Keccak gate.
const KECCAK_CELLS: usize = 17;
const KECCAK_LOOKUPS: usize = 11;

/// Cells of so many rows of the SHA-256 gate.
fn sha256_cells(rows: usize) -> usize {
    SHA256_GATE.columns() * rows
}

/// Cells of the hashes: those of their gate's rows, and what range checks and the vertical gate add.
fn hashes(costs: &mut Costs) {
    // The inputs themselves are no part of it.
    let of = |inputs: usize, build: &dyn Fn(&mut GateContext)| {
        let layout = Layout { keccak_lanes: 1, sha256: Some(SHA256_GATE), ..layout(&[]) };
        let mut gates = Gates::new(&layout, false);
        let ctx = &mut gates.context();
        build(ctx);
        let Usage { vertical_cells, range_cells, keccak_rows, sha256_rows, .. } = gates.usage();
        let others = sha256_cells(sha256_rows) + range_cells + vertical_cells;
        let cells = KECCAK_CELLS * keccak_rows + others - inputs;
        Row::from([
            ("cells".into(), cells),
            ("keccak_rows".into(), keccak_rows),
            ("sha256_rows".into(), sha256_rows),
            ("range_cells".into(), range_cells),
            ("lookups".into(), KECCAK_LOOKUPS * keccak_rows + range_cells),
        ])
    };
    let halves = |ctx: &mut Context<Fr>, count: usize| {
        ctx.assign_witnesses(vec![Fr::one(); count]).into_iter().map(QuantumCell::Existing)
    };
    let hash = |count: usize| {
        of(count, &|ctx| {
            let halves: Vec<_> = halves(ctx, count).collect();
            sha256::digest(ctx, &Midstate::START, &halves);
        })
    };
    // One block more.
    let (more, less) = (hash(8), hash(4));
    let block: Row = more.iter().map(|(key, more)| (key.clone(), more - less[key])).collect();
    costs.insert("sha256: a block".into(), block);
    costs.insert("sha256: 96 bytes".into(), hash(6));
    let address = of(4, &|ctx| {
        let key: Vec<_> = ctx.assign_witnesses(vec![Fr::one(); 4]);
        keccak::address(ctx, [key[0], key[1]], [key[2], key[3]]);
    });
    costs.insert("keccak: address of a key of 64 bytes".into(), address);
    let permutation = of(0, &|ctx| {
        ctx.chips.keccak().permute_without_last_constant(&[QuantumCell::Witness(Fr::zero()); 25]);
    });
    costs.insert("keccak: permutation".into(), permutation);
}

/// Cells of CometBFT's precommits: what all of a block share, its hash included, and the string that a validator signs.
fn votes(costs: &mut Costs) {
    let of = |signers: usize| {
        let layout = Layout { sha256: Some(SHA256_GATE), ..layout(&[]) };
        let mut gates = Gates::new(&layout, false);
        let ctx = &mut gates.context();
        let encoded = ctx.assign_witnesses([Fr::one(); cometbft::HALVES]);
        let encoded = encoded.try_into().expect("as many halves");
        let shared = cometbft::SharedVote::new(ctx, &encoded);
        let time = muster_schemes::signature::cometbft::Timestamp::default();
        (0..signers).for_each(|_| drop(shared.signed(ctx, &time)));
        let Usage { vertical_cells, range_cells, sha256_rows, .. } = gates.usage();
        let cells = sha256_cells(sha256_rows) + range_cells + vertical_cells;
        let cells = cells - cometbft::HALVES;
        Row::from([
            ("cells".into(), cells),
            ("range_cells".into(), range_cells),
            ("sha256_rows".into(), sha256_rows),
        ])
    };
    let (none, one) = (of(0), of(1));
    let mut each: Row = one.iter().map(|(key, one)| (key.clone(), one - none[key])).collect();
    each.remove("sha256_rows");
    costs.insert("cometbft: a precommit".into(), each);
    costs.insert("cometbft: what precommits share".into(), none);
}

fn all_costs() -> &'static Costs {
    static COSTS: OnceLock<Costs> = OnceLock::new();
    COSTS.get_or_init(|| {
        let mut costs = Costs::new();
        poseidon(&mut costs);
        range(&mut costs);
        batch(&mut costs);
        membership(&mut costs);
        set::sets(&mut costs);
        mask::mask(&mut costs);
        hashes(&mut costs);
        ed25519::ed25519(&mut costs);
        votes(&mut costs);
        for bits in [4, 8, 16] {
            sha512::sha512(&mut costs, bits);
        }
        foreign::foreign(&mut costs);
        pairing::pairings(&mut costs);
        aggregate::aggregate(&mut costs);
        to_curve::to_curve(&mut costs);
        bls::bls(&mut costs);
        translation::translations(&mut costs);
        vertical::vertical_gate(&mut costs);
        costs
    })
}

#[test]
fn costs_are_those_of_the_golden_file() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/cost.json");
    let mut found = serde_json::to_string_pretty(all_costs()).expect("plain data");
    found.push('\n');
    if std::env::var_os("MUSTER_UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, &found).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == found,
        "the costs differ from {}; if that is meant, run\n  MUSTER_UPDATE_GOLDEN=1 cargo test -p muster-gadgets golden\nfound:\n{found}",
        path.display()
    );
}

/// Exact budgets, and that each gate is worth its columns.
#[test]
fn budgets() {
    let costs = all_costs();
    let cells = |name: &str| costs[name]["cells"];
    assert!(cells("poseidon: permutation, width 3") <= 176);
    assert!(cells("poseidon: permutation, width 3, three a row") <= 176);
    assert!(cells("schnorr: two more signatures") <= 2 * 2_000);
    assert!(cells("eddsa: two more signatures") <= 2 * 2_000);
    assert!(2 * cells("musig: 20 more signers") < 10 * cells("schnorr: two more signatures"));
    assert!(cells("keccak: address of a key of 64 bytes") <= 40_000);
    assert!(cells("sha256: a block") <= 8_000);
    assert!(cells("cometbft: a precommit") <= 1_500);
    assert!(cells("sha512: a block, 16 bits a row") <= 18_000);
    assert!(cells("sha512: 96 bytes, 16 bits a row") <= 18_000);
    assert!(cells("foreign: relation modulo 256 bits") <= 80);
    assert!(costs["foreign: relation modulo 256 bits"]["lookups"] <= 48);
    assert!(costs["foreign: chord addition"]["lookups"] <= 140);
    // What is left of 330 and 450 cells for a key's place in its set.
    assert!(cells("aggregate: a point of BN254 G1") <= 120);
    assert!(cells("aggregate: a point of BLS12-381 G1") <= 180);
    let batch = format!("ecdsa-secp256k1: {} signatures", foreign::BATCH);
    assert!(cells(&batch) <= 32_000 * foreign::BATCH);
    for (rule, bound) in [("zip215", 24_000), ("rfc8032", 24_000), ("strict", 25_000)] {
        let batch = format!("ed25519: {} signatures without hashes, {rule}", ed25519::BATCH);
        assert!(cells(&batch) <= bound * ed25519::BATCH);
    }
    let saves = |gate: &str, vertical: &str, factor: usize| {
        assert!(factor * cells(gate) <= cells(vertical), "{gate}: {vertical}");
    };
    saves("poseidon: permutation, width 3", "vertical gate: Poseidon permutation, width 3", 5);
    saves("edwards: addition", "vertical gate: Edwards addition", 5);
    saves("range: 72 bits", "vertical gate: range of 72 bits by lookups", 2);
    saves("range: 72 bits", "vertical gate: range of 72 bits by bits", 10);
}
