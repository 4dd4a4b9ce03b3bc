//! The hash functions.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};

use super::{Hash, OpenCells};
use crate::hash::{keccak, padding::Message, sha256, sha512};
use muster_forgery::testing::{layout, SHA256_GATE};
use muster_gates::{GateContext, Layout, Sha2Layout};
use muster_schemes::hash::{
    keccak::keccak256,
    sha256::{sha256, Midstate},
    sha512::sha512,
};

pub(crate) struct Keccak256;

impl Hash for Keccak256 {
    const OPEN: OpenCells = OpenCells {
        messages: [((5, 32), [0, 5]), ((21, 40), [0, 5]), ((130, 272), [2, 64])],
        halves: 0,
    };
    const LENGTHS: &'static [(usize, usize)] = &[
        (0, 140),
        (1, 136),
        (15, 136),
        (16, 136),
        (135, 140),
        (136, 136),
        (136, 272),
        (137, 140),
        (271, 272),
        (272, 272),
    ];

    fn layout(k: u32) -> Layout {
        Layout { keccak_lanes: 1, ..layout(k, &[]) }
    }

    fn native(message: &[u8]) -> Vec<u8> {
        keccak256(message).to_vec()
    }

    fn digest(ctx: &mut GateContext, halves: &[QuantumCell<Fr>]) -> Vec<AssignedValue<Fr>> {
        keccak::keccak256(ctx, halves).halves().to_vec()
    }

    fn digest_up_to(ctx: &mut GateContext, message: Message) -> Vec<AssignedValue<Fr>> {
        keccak::keccak256_up_to(ctx, message).halves().to_vec()
    }
}

pub(crate) struct Sha256;

impl Hash for Sha256 {
    const OPEN: OpenCells = OpenCells {
        messages: [((5, 32), [4, 16]), ((21, 40), [4, 16]), ((61, 120), [2, 38])],
        halves: 4,
    };
    const LENGTHS: &'static [(usize, usize)] = &[
        (0, 70),
        (1, 70),
        (55, 120),
        (56, 56),
        (63, 120),
        (64, 64),
        (65, 120),
        (119, 120),
        (120, 120),
    ];

    fn layout(k: u32) -> Layout {
        Layout { sha256: Some(SHA256_GATE), range_columns: 2, ..layout(k, &[]) }
    }

    fn native(message: &[u8]) -> Vec<u8> {
        sha256(message).to_vec()
    }

    fn digest(ctx: &mut GateContext, halves: &[QuantumCell<Fr>]) -> Vec<AssignedValue<Fr>> {
        sha256::digest(ctx, &Midstate::START, halves).to_vec()
    }

    fn digest_up_to(ctx: &mut GateContext, message: Message) -> Vec<AssignedValue<Fr>> {
        sha256::digest_up_to(ctx, &Midstate::START, message).to_vec()
    }
}

pub(crate) struct Sha512;

impl Hash for Sha512 {
    const OPEN: OpenCells = OpenCells {
        messages: [((5, 32), [8, 16]), ((21, 40), [8, 16]), ((120, 240), [4, 44])],
        halves: 8,
    };
    const LENGTHS: &'static [(usize, usize)] = &[
        (0, 111),
        (1, 112),
        (111, 112),
        (112, 112),
        (113, 120),
        (119, 128),
        (120, 120),
        (121, 240),
        (127, 128),
        (128, 128),
        (129, 240),
        (239, 240),
        (240, 240),
    ];

    fn layout(k: u32) -> Layout {
        let sha512 = Some(Sha2Layout { bits: 16, lanes: 1 });
        Layout { sha512, range_columns: 2, ..layout(k, &[]) }
    }

    fn native(message: &[u8]) -> Vec<u8> {
        sha512(message).to_vec()
    }

    fn digest(ctx: &mut GateContext, halves: &[QuantumCell<Fr>]) -> Vec<AssignedValue<Fr>> {
        sha512::digest(ctx, halves).to_vec()
    }

    fn digest_up_to(ctx: &mut GateContext, message: Message) -> Vec<AssignedValue<Fr>> {
        sha512::digest_up_to(ctx, message).to_vec()
    }
}
