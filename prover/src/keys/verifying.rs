//! Reading a verifying key that anybody may have written.

use halo2_base::halo2_proofs::{halo2curves::bn256::G1Affine, plonk::VerifyingKey, SerdeFormat};
use muster_circuits::{Shape, ThresholdCircuit, MAX_SLOTS};

/// Version byte of halo2's format.
const VERSION: u8 = 2;
/// Bytes before the commitments: version, k, whether selectors are compressed, fixed columns.
const HEADER: usize = 10;
/// Most bits that a lookup checks: the range chip takes no more.
const MAX_RANGE_BITS: usize = 16;
/// Bytes of a commitment.
const POINT: usize = 32;

/// Reads the verifying key of a shape in halo2's `Processed` format: every point is checked.
///
/// # Errors
///
/// The reason in words; any bytes give a key or a reason.
pub fn read_verifying_key(shape: &Shape, bytes: &[u8]) -> Result<VerifyingKey<G1Affine>, String> {
    shape.check_choices().map_err(|error| error.to_string())?;
    check_layout(shape)?;
    let header = bytes.get(..HEADER).ok_or("shorter than its header")?;
    if header[0] != VERSION {
        return Err(format!("version {}, not {VERSION}", header[0]));
    }
    // halo2 would make room for 2^k rows before it looks at anything else.
    if header[1..5] != shape.degree().to_le_bytes() {
        return Err(format!("not of the shape's degree {}", shape.degree()));
    }
    if header[5] != 0 {
        return Err("the selectors are compressed; this prover does not compress them".into());
    }
    let layout = shape.layout.clone();
    let vk = VerifyingKey::from_bytes::<ThresholdCircuit>(bytes, SerdeFormat::Processed, layout)
        .map_err(|error| error.to_string())?;
    let (fixed, expected) = (vk.fixed_commitments().len(), vk.cs().num_fixed_columns());
    if fixed != expected {
        return Err(format!("{fixed} fixed columns, not {expected}"));
    }
    let length = HEADER + POINT * (fixed + vk.permutation().commitments().len());
    if bytes.len() != length {
        return Err(format!("{} bytes, not {length}", bytes.len()));
    }
    Ok(vk)
}

/// Bounds a layout before columns are made for it: what makes keys stays far below all of these.
fn check_layout(shape: &Shape) -> Result<(), String> {
    const COLUMNS: usize = 1 << 10;
    let layout = &shape.layout;
    let hashes = layout.keccak_lanes.max(layout.sha256_lanes);
    let lanes: usize = layout.poseidon.iter().map(|gate| gate.lanes.min(COLUMNS)).sum();
    let sound = (4..=28).contains(&layout.k)
        && (1..=COLUMNS).contains(&layout.vertical_columns)
        && layout.constant_rows < 1 << layout.k
        && layout.range_columns <= COLUMNS
        && layout.edwards_lanes <= COLUMNS
        && lanes <= COLUMNS
        && hashes <= COLUMNS
        && layout.foreign.is_none_or(|gate| gate.is_sound(layout.range_bits))
        && (1..layout.k as usize).contains(&layout.range_bits)
        && layout.range_bits <= MAX_RANGE_BITS
        && (1..2 * MAX_SLOTS).contains(&shape.slots)
        && layout.poseidon.iter().all(|gate| {
            (2..=17).contains(&gate.width) && (1..=gate.width * 4).contains(&gate.columns)
        });
    sound.then_some(()).ok_or_else(|| "no layout that keys are made for".into())
}
