//! `muster dkg demo`: all of a key generation in one process.

use std::{path::PathBuf, sync::Arc};

use muster_threshold::{
    bls::{MinSignature, SignatureShare},
    dkg::{
        group, shares, weights, Agreement, Ceremony, Certificate, Error as Fault, Fraction,
        InMemory, Node,
    },
    pvss::{
        dlog::{Search, Table},
        Parameters, SecretKeys, Session, Shape, Srs, Variant,
    },
};
use rand::rngs::OsRng;
use serde_json::json;

use super::refused::refused;
use crate::{
    cli::{pvss::BoundsArgs, report::Report, table},
    encoding::to_hex,
    files::pvss::read,
    progress::Progress,
    Error,
};

/// Make a key among players with given stakes, sign with it and verify; nothing is written.
#[derive(Debug, clap::Args)]
pub(super) struct DemoArgs {
    /// A JSON array of stakes.
    #[arg(long, value_name = "FILE")]
    stakes: PathBuf,
    #[command(flatten)]
    bounds: BoundsArgs,
    /// How ciphertexts are proved: chunky, chunky2 or compact.
    #[arg(long, default_value_t)]
    variant: Variant,
    /// Bits of a chunk: 8, 16 or 32.
    #[arg(long, value_name = "BITS", default_value_t = 16)]
    chunk_bits: u32,
}

pub(super) fn run(args: &DemoArgs) -> Result<Report, Error> {
    let stakes: Vec<u64> = read(&args.stakes)?;
    demo(args, &stakes).map_err(|found| refused(&args.stakes, found))
}

fn demo(args: &DemoArgs, stakes: &[u64]) -> Result<Report, Fault> {
    let progress = Progress::new();
    let made = weights(stakes, args.bounds.secrecy, args.bounds.reconstruction)?;
    let shape = Shape::new(args.variant, args.chunk_bits, made.threshold, &made.weights)?;
    let keys: Vec<SecretKeys> = stakes.iter().map(|_| SecretKeys::generate(&mut OsRng)).collect();
    let bundles: Vec<_> = keys.iter().map(|keys| keys.publish(&mut OsRng)).collect();
    let (parameters, setup) = progress.timed("making an insecure reference string", || {
        let srs = Srs::insecure(shape.domain(), &mut OsRng)?;
        Parameters::new(&srs, shape.domain())
    });
    let session = Arc::new(Session::new(shape, &bundles, parameters?, 1, b"demo")?);
    let fraction = |a, b| Fraction::new(a, b).ok_or(Fault::NoStake);
    let ceremony = Ceremony::new(session, stakes, fraction(2, 3)?, fraction(1, 3)?)?;
    let nodes = (1..).zip(&keys).map(|(player, keys)| Node::new(&ceremony, player, keys));
    let mut nodes = nodes.collect::<Result<Vec<_>, _>>()?;
    let (dealings, dealing) = progress.timed("dealing", || {
        nodes.iter_mut().map(|node| node.deal(&mut OsRng)).collect::<Result<Vec<_>, _>>()
    });
    let all: Vec<(usize, Vec<u8>)> = (1..).zip(dealings?).collect();
    let bytes = all[0].1.len();
    let ((), verifying) = progress.timed("verifying at every node", || {
        nodes.iter_mut().for_each(|node| drop(node.receive_all(&all)));
    });
    let (proposal, sum) = nodes[0].propose()?;
    let attestations =
        nodes.iter().map(|node| node.attest(&proposal)).collect::<Result<Vec<_>, _>>()?;
    let certificate = Certificate::new(&ceremony, proposal, &attestations)?;
    let decided = InMemory::default().decide(certificate);
    let accepted = nodes.iter().map(|node| node.accept(&decided, &sum));
    let accepted = accepted.collect::<Result<Vec<_>, _>>()?;
    let table = Table::new(args.chunk_bits.min(20)).map_err(Fault::from)?;
    let search = Search::new(table);
    let (own, decrypting) = progress.timed("decrypting at every node", || {
        let open = |((player, keys), sum)| shares(&ceremony, sum, player, keys, &search);
        (1..).zip(&keys).zip(&accepted).map(open).collect::<Result<Vec<_>, _>>()
    });
    let group = group(&ceremony, &accepted[0])?;
    let message = b"muster dkg demo";
    let signed: Vec<SignatureShare<MinSignature>> =
        own?.iter().flatten().map(|share| share.sign(message)).collect();
    let signature = group.aggregate(message, &signed, &mut OsRng)?.signature;
    let good = group.public_key().verify(message, &signature);
    let rows = [
        ("players", stakes.len().to_string()),
        ("shares", format!("{} of {}", made.threshold, made.shares())),
        ("variant", args.variant.to_string()),
        ("bytes of a dealing", bytes.to_string()),
        ("setup", table::time(setup)),
        ("dealing, all players", table::time(dealing)),
        ("verifying, all players", table::time(verifying)),
        ("decrypting, all players", table::time(decrypting)),
        ("public key", to_hex(&group.public_key().to_bytes())),
        ("signature", to_hex(&signature.to_bytes())),
        ("verified", good.to_string()),
    ];
    let json = json!({
        "players": stakes.len(),
        "threshold": made.threshold,
        "shares": made.shares(),
        "weights": made.weights,
        "variant": args.variant.name(),
        "bytes": bytes,
        "dealing_s": dealing.as_secs_f64(),
        "verifying_s": verifying.as_secs_f64(),
        "decrypting_s": decrypting.as_secs_f64(),
        "public_key": to_hex(&group.public_key().to_bytes()),
        "signature": to_hex(&signature.to_bytes()),
        "verified": good,
    });
    Ok(Report { text: table::table(&rows), json })
}
