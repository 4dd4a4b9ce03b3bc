//! Key directories that somebody has tampered with, and sealed again as an attacker would: every
//! digest in them can be computed by anybody.

use std::{fs, path::Path};

use blake2::{digest::consts::U32, Blake2b, Digest};
use muster_circuits::Shape;
use muster_prover::{keys::SrsReference, VerifierKey};
use muster_verifier::{Key, KeyParts};
use serde_json::Value;
use sha3::Keccak256;

use crate::json::{self, Edit, WAYS};

/// Bytes of a point.
const POINT: usize = 64;
/// Bytes of a number of a proving key.
const NUMBER: usize = 32;
/// Where a verifying key says whether its SRS is a ceremony's, and where τ in G2 and the description begin.
const IS_CEREMONY: usize = 18;
const TAU: usize = 19;
const DESCRIPTION: usize = 147;
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
            13 => self.set_number(place, to),
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

    /// Gives both keys the circuit, the sizes and the lengths that the shape asks for.
    pub(crate) fn fit(&mut self) {
        let Some(shape) = self.shape() else { return };
        let Ok(protocol) = VerifierKey::protocol(&shape) else { return };
        let points = protocol.fixed() + protocol.copied().len();
        let Some(start) = self.verifying.len().checked_sub(POINT) else { return };
        let [point, tau_g2] = [&self.verifying[start..], &self.verifying[TAU..]];
        let Some(tau_g2) = tau_g2.first_chunk().copied() else { return };
        let commitments = vec![point.try_into().expect("the last bytes"); points];
        let (fixed, sigma) = commitments.split_at(protocol.fixed());
        let (fixed, sigma) = (fixed.to_vec(), sigma.to_vec());
        let rows = protocol.rows();
        let (description, is_ceremony) = (vec![], false);
        let parts = KeyParts { protocol, description, is_ceremony, tau_g2, fixed, sigma };
        // None where a point before has been changed to none.
        let Ok(key) = Key::new(parts) else { return };
        self.verifying = key.to_bytes();
        self.describe(&shape);
        if rows * points * NUMBER <= LARGEST {
            self.proving = vec![0; rows * points * NUMBER];
        }
    }

    /// Makes the verifying key say what stands beside it.
    fn describe(&mut self, shape: &Shape) {
        let Some(length) = self.verifying.get(DESCRIPTION..).and_then(<[u8]>::first_chunk) else {
            return;
        };
        let end = DESCRIPTION + 4 + u32::from_be_bytes(*length) as usize;
        if end > self.verifying.len() {
            return;
        }
        let text = serde_json::to_vec(shape).expect("a shape is plain data");
        let said = [&(text.len() as u32).to_be_bytes()[..], &text].concat();
        self.verifying.splice(DESCRIPTION..end, said);
        let srs = serde_json::from_value::<SrsReference>(self.manifest["srs"].clone());
        if let Ok(srs) = srs {
            self.verifying[IS_CEREMONY] = u8::from(!srs.insecure);
            self.verifying[TAU..DESCRIPTION].copy_from_slice(&srs.tau_bytes());
        }
    }

    /// Makes the verifying key say what stands beside it, and computes the digests again; nothing where the shape is none.
    pub(crate) fn seal(&mut self) -> Option<()> {
        self.describe(&self.shape()?);
        self.manifest["vk_digest"] = hex(&Keccak256::digest(&self.verifying));

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

    /// Overwrites a number of the proving key, perhaps with none.
    fn set_number(&mut self, place: u32, to: u64) {
        let count = (self.proving.len() / NUMBER).max(1);
        let at = place as usize % count * NUMBER;
        if let Some(number) = self.proving.get_mut(at..at + NUMBER) {
            number.fill(to as u8);
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
