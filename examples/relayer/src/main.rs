//! A relayer with a committee of its own making: three members, two of whom sign.

use std::error::Error;

use muster_evm::verifier::KeyName;
use muster_prover::{
    muster_schemes::signature::{eddsa::Eddsa, SignatureScheme},
    Committee, Fr, Keys, Message, Request, Scheme, Shape, Signatures, Srs,
};
use muster_relayer::{Relayer, Trusted};
use rand::rngs::OsRng;

fn main() -> Result<(), Box<dyn Error>> {
    // The committee. Members may have weights; here everybody counts as one.
    let secrets: Vec<_> = (0..3).map(|_| Eddsa::keygen(&mut OsRng)).collect();
    let members: Vec<_> = secrets.iter().map(|secret| (Eddsa::public_key(secret), 1)).collect();
    let committee = Committee::new(&members)?;

    // Once, by whoever sets the bridge up. A real one loads a ceremony's SRS:
    // `SrsCache::from_env().load(plan.srs_degree())`.
    let shape = Shape::fit(&Request::new(Scheme::Eddsa, members.len(), 2))?;
    let plan = Keys::plan(&shape, None)?;
    let srs = Srs::insecure(plan.srs_degree())?;
    let keys = Keys::make_compact(&srs, &shape, &plan)?;
    let dir = tempfile::tempdir()?;
    keys.save(dir.path(), false)?;

    // Registered with the contract under this name.
    let verifier = keys.verifier();
    let compact = verifier.key().as_compact().ok_or("keys of the format compact")?;
    let key = KeyName(compact.evm_key().name());

    // The relayer.
    let trusted = Trusted { key, committee, threshold: 2 };
    let relayer = Relayer::open(dir.path(), srs, trusted)?;

    // What happened on the source chain, and who signed it.
    let event = Fr::from(7);
    let sign = |member: usize| (member, Eddsa::sign(&secrets[member], &event, &mut OsRng).into());
    let signatures = Signatures::Independent(vec![sign(0), sign(2)]);
    let calldata = relayer.relay(Message::from(event), &signatures)?;
    println!("0x{}", hex::encode(calldata));
    Ok(())
}
