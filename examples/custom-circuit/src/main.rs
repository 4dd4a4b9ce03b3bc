//! Proves that the owner of a committed key signed a digest.

use std::error::Error;

use muster_custom_circuit::{
    layout,
    proof::{verify, Keys},
    sample, Claim,
};
use muster_params::Srs;
use rand::rngs::OsRng;

fn main() -> Result<(), Box<dyn Error>> {
    // For tests alone; a ceremony's comes from `SrsCache::from_env().load(layout().k)`.
    let srs = Srs::insecure(layout().k)?;
    let (claim, opening) = sample([1; 32], &mut OsRng);
    let keys = Keys::new(&srs, &claim, &opening)?;

    // Another signer, another digest, the same keys.
    let (claim, opening) = sample([2; 32], &mut OsRng);
    let proof = keys.prove(&srs, &claim, &opening)?;
    println!("a proof of {} bytes", proof.len());
    let verdict = |claim: &Claim| verify(keys.verifier(), claim, &proof).is_ok();
    println!("of what was signed: {}", verdict(&claim));
    println!("of another digest: {}", verdict(&Claim { digest: [1; 32], ..claim }));
    Ok(())
}
