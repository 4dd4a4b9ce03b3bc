//! Key directories that somebody has tampered with, and sealed again as an attacker would: every
//! digest in them can be computed by anybody.

use std::{fs, path::Path};

use blake2::{digest::consts::U32, Blake2b, Digest};
use muster_circuits::{Shape, ThresholdCircuit};
use serde_json::Value;

use crate::json::{self, Edit, WAYS};

/// Bytes of a point as it is compressed, and as it is not.
const POINT: usize = 32;
const RAW_POINT: usize = 64;
/// Bytes of the header of a verifying key.
const HEADER: usize = 10;
/// Most bytes of a proving key that is made up.
const LARGEST: usize = 1 << 25;

/// The files of a directory.
#[derive(Clone)]
pub(crate) struct Directory {
    pub(crate) manifest: Value,
    pub(crate) verifying: Vec<u8>,
    pub(crate) proving: Vec<u8>,
}

impl Directory {
    pub(crate) fn read(dir: &Path) -> Self {
        let read = |name| fs::read(dir.join(name)).expect("a directory of the test's own");
        let manifest =
            serde_json::from_slice(&read("shape.json")).expect("a directory of the test's own");
        Self { manifest, verifying: read("verifying.key"), proving: read("proving.key") }
    }

    pub(crate) fn write(&self, dir: &Path) {
        fs::write(dir.join("shape.json"), self.manifest.to_string())
            .expect("a directory of the test's own");
        fs::write(dir.join("verifying.key"), &self.verifying)
            .expect("a directory of the test's own");
        fs::write(dir.join("proving.key"), &self.proving).expect("a directory of the test's own");
    }

    /// Changes one place of one of the files.
    pub(crate) fn change(&mut self, edit: Edit) {
        let (way, place, to) = edit;
        match way % (WAYS + 8) {
            way if way < WAYS => self.change_part("shape", edit),
            8 => json::change(&mut self.manifest, edit),
            9 => set_byte(&mut self.verifying, place, to),
            10 => self.verifying.resize(to as usize % (1 << 12), place as u8),
            11 => set_byte(&mut self.proving, place, to),
            12 => self.proving.resize(to as usize % (2 * self.proving.len() + 1), place as u8),
            13 => self.set_length(place, to),
            14 => self.change_part("break_points", edit),
            _ => self.fit(),
        }
    }

    /// Changes what stands under a name, unless an edit before has left none.
    fn change_part(&mut self, name: &str, edit: Edit) {
        if let Some(part) = self.manifest.get_mut(name) {
            json::change(part, edit);
        }
    }

    /// Gives both keys the sizes, headers and lengths that the shape asks for.
    pub(crate) fn fit(&mut self) {
        let Some(shape) = self.shape().filter(|shape| shape.check().is_ok()) else { return };
        let constraints = ThresholdCircuit::constraints(&shape.layout);
        let fixed = constraints.num_fixed_columns();
        let permuted = constraints.permutation().get_columns().len();
        let points = fixed + permuted;
        let first = self.verifying.get(HEADER..HEADER + POINT).unwrap_or(&[0; POINT]).to_vec();
        self.verifying.resize(HEADER, 0);
        self.verifying[1..5].copy_from_slice(&shape.degree().to_le_bytes());
        self.verifying[6..].copy_from_slice(&(fixed as u32).to_le_bytes());
        self.verifying.extend(first.repeat(points));
        let rows = 1usize << shape.degree();
        if rows * (points * 2 + 3) * POINT > LARGEST {
            return;
        }
        let mut proving = self.verifying[..HEADER].to_vec();
        proving.resize(HEADER + RAW_POINT * points, 0);
        let polynomials = |proving: &mut Vec<u8>, count: usize| {
            for _ in 0..count {
                proving.extend((rows as u32).to_be_bytes());
                proving.resize(proving.len() + POINT * rows, 0);
            }
        };
        polynomials(&mut proving, 3);
        for count in [fixed, fixed, permuted, permuted] {
            proving.extend((count as u32).to_be_bytes());
            polynomials(&mut proving, count);
        }
        self.proving = proving;
    }

    /// Computes the digests again; nothing where the shape is none.
    pub(crate) fn seal(&mut self) -> Option<()> {
        let shape = serde_json::to_vec(&self.shape()?).ok()?;
        let point = |name: &str| bytes(&self.manifest["srs"][name]);
        let parts = [b"muster.vk.v1".to_vec(), shape, self.verifying.clone()];
        let mut hash = Blake2b::<U32>::new();
        for part in parts.into_iter().chain([point("g2")?, point("tau_g2")?]) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        self.manifest["vk_digest"] = hex(&hash.finalize());

        let break_points = self.manifest["break_points"].as_array()?;
        let mut hash = Blake2b::<U32>::new();
        hash.update(&self.proving);
        hash.update((break_points.len() as u64).to_le_bytes());
        for row in break_points {
            hash.update(row.as_u64()?.to_le_bytes());
        }
        for constant in self.manifest["constants"].as_array()? {
            let mut constant = bytes(constant)?;
            constant.reverse();
            hash.update(constant);
        }
        self.manifest["proving_key_digest"] = hex(&hash.finalize());
        Some(())
    }

    pub(crate) fn shape(&self) -> Option<Shape> {
        serde_json::from_value(self.manifest["shape"].clone()).ok()
    }

    /// Overwrites the length of a polynomial.
    fn set_length(&mut self, number: u32, to: u64) {
        let Some(shape) = self.shape().filter(|shape| shape.layout.k < 16) else { return };
        let points = self.verifying.len().saturating_sub(HEADER) / POINT;
        let polynomial = 4 + (POINT << shape.layout.k);
        let at = HEADER + RAW_POINT * points + number as usize % 16 * polynomial;
        if let Some(length) = self.proving.get_mut(at..at + 4) {
            length.copy_from_slice(&(to as u32).to_be_bytes());
        }
    }
}

fn set_byte(bytes: &mut [u8], place: u32, to: u64) {
    let length = bytes.len().max(1);
    if let Some(byte) = bytes.get_mut(place as usize % length) {
        *byte = to as u8;
    }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    hex::decode(value.as_str()?.strip_prefix("0x")?).ok()
}

fn hex(bytes: &[u8]) -> Value {
    format!("0x{}", hex::encode(bytes)).into()
}
