//! Costs of translations of the sizes that chains have, with lookups of 8 bits.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};

use super::{layout, sha256_cells, Costs, Row, KECCAK_CELLS};
use crate::membership::translation::{AssignedTranslation, CommitmentInstructions, TranslatedSet};
use muster_forgery::testing::SHA256_GATE;
use muster_gates::{
    foreign::{Block, ForeignLayout},
    Gates, Layout, Usage,
};
use muster_schemes::{
    membership::{
        commitment::{
            AddressList, AptosValidators, AxelarSigners, BeefyAuthorities, CometbftValidators,
            SemaphoreGroup, SuiValidators, SyncCommittee,
        },
        min_depth, KeyFormat, LeafFormat, Whole,
    },
    signature::bls::{member::Possession, MinPkPopBls12381, MinSigPopBls12381},
};

/// Children of a node.
const ARITY: usize = 5;
/// The state of Poseidon in a group of Semaphore.
const GROUP_WIDTH: usize = 3;
/// Bits of a lookup.
const BITS: usize = 8;

fn row<C: CommitmentInstructions>(capacity: usize, format: LeafFormat) -> Row {
    let (native, equations) = (modulus::<Fr>(), C::equations());
    let gate = (!equations.is_empty()).then(|| ForeignLayout::new(&native, BITS, 2, &equations));
    let layout = Layout {
        range_bits: BITS,
        keccak_lanes: 1,
        sha256: Some(SHA256_GATE),
        edwards_lanes: 0,
        foreign: gate.iter().cloned().collect(),
        constant_rows: 4096,
        ..layout(&[GROUP_WIDTH, ARITY + 1, KeyFormat::WIDTH])
    };
    let mut gates = Gates::total(&layout);
    let ctx = &mut gates.context();
    let inputs: [_; 5] = ctx.assign_witnesses([Fr::zero(); 5]).try_into().expect("five of them");
    let [key_set_root, high, low, members, total_weight] = inputs;
    let commitment = [high, low];
    let claim = AssignedTranslation { key_set_root, commitment, members, total_weight };
    let leaves = vec![format.empty(); capacity.div_ceil(format.members())];
    let depth = min_depth(ARITY, capacity, format).expect("there is such a tree");
    let whole = Whole::default();
    let keys = vec![vec![0; C::KEY_BYTES]; capacity];
    let (leaves, whole, keys) = (&leaves[..], &whole, &keys[..]);
    let set = TranslatedSet { claim, leaves, whole, keys, arity: ARITY, depth };
    C::assert_translates(ctx, &set);
    let usage = gates.usage();
    let block = gate.map(|gate| Block::new(native, &gate, BITS));
    let relations = block.as_ref().map_or(0, |block| usage.foreign_rows[0] / block.rows());
    let of_relations = block.map_or(0, |block| relations * block.cells());
    let Usage { vertical_cells, range_cells, keccak_rows, sha256_rows, .. } = usage;
    let poseidon: usize = usage.poseidon.iter().map(|(_, _, cells)| cells).sum();
    let hashes = KECCAK_CELLS * keccak_rows + sha256_cells(sha256_rows) + poseidon;
    Row::from([
        ("cells".into(), vertical_cells + range_cells + hashes + of_relations),
        ("vertical_cells".into(), vertical_cells),
        ("range_cells".into(), range_cells),
        ("poseidon_cells".into(), poseidon),
        ("keccak_rows".into(), keccak_rows),
        ("sha256_rows".into(), sha256_rows),
        ("relations".into(), relations),
    ])
}

/// Adds the rows of this family.
pub(super) fn translations(costs: &mut Costs) {
    let keys = LeafFormat::Keys(MinPkPopBls12381::LEAF);
    let of_sui = LeafFormat::Keys(MinSigPopBls12381::LEAF);
    let rows = [
        ("19 addresses", row::<AddressList>(19, LeafFormat::Names)),
        ("19 signers of Axelar", row::<AxelarSigners>(19, LeafFormat::Names)),
        ("19 authorities", row::<BeefyAuthorities>(19, LeafFormat::Names)),
        ("100 in a group", row::<SemaphoreGroup>(100, LeafFormat::Names)),
        ("150 validators", row::<CometbftValidators>(150, LeafFormat::Names)),
        ("150 validators of Aptos", row::<AptosValidators>(150, keys)),
        ("120 validators of Sui", row::<SuiValidators>(120, of_sui)),
        ("512 seats", row::<SyncCommittee>(512, keys)),
    ];
    costs.extend(rows.map(|(of, row)| (format!("translation: {of}"), row)));
}
