//! light-poseidon over the scalars of BN254. The constants of all widths are one function of 43,000 lines, which is compiled in each
//! crate that calls it: here, where nothing is optimised, and not in one where that takes ten seconds.

use ark_bn254::Fr;
use light_poseidon::{parameters::bn254_x5::get_poseidon_parameters, Poseidon};
pub use light_poseidon::{PoseidonHasher, PoseidonParameters};

/// The constants of a permutation of so many elements.
///
/// # Panics
///
/// If light-poseidon has none: it has those of 2 to 13.
pub fn parameters(width: usize) -> PoseidonParameters<Fr> {
    let found = u8::try_from(width).ok().and_then(|width| get_poseidon_parameters(width).ok());
    found.unwrap_or_else(|| panic!("no constants for {width} elements"))
}

/// Hashes so many elements, with what stands in the state before them.
///
/// # Panics
///
/// If light-poseidon has no constants for as many and one more.
pub fn poseidon(inputs: usize, tag: Fr) -> Poseidon<Fr> {
    let hasher = Poseidon::<Fr>::with_domain_tag_circom(inputs, tag);
    hasher.unwrap_or_else(|error| panic!("no hash of {inputs} elements: {error}"))
}
