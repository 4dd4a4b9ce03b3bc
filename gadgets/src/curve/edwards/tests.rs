//! Baby Jubjub against its own laws, published values and babyjubjub-rs.

use super::*;

#[test]
fn constants() {
    let order: Vec<u8> = (-<Scalar as ff::Field>::ONE).to_bytes().to_vec();
    println!("{}", hex::encode(&order));
    assert!(AffinePoint::generator().is_in_subgroup());
    assert!(!torsion_point().is_in_subgroup());
    let _ = <Scalar as ff::Field>::random(rand::thread_rng());
}
