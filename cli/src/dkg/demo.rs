//! `muster dkg demo`: all of a key generation in one process, with made-up secrets, timed.

use std::{path::PathBuf, sync::Arc, time::Duration};

use muster_prover::encoding::to_hex;
use muster_schemes::decimal;
use muster_threshold::{
    bls::{MinSigBasicBls12381, SignatureShare},
    dkg::{
        group, shares, weights, Ceremony, Certificate, Error as Fault, Fraction, InMemoryAgreement,
        Node, Weights,
    },
    pvss::{
        dlog::{Search, Table},
        Parameters, SecretKeys, Session, Shape, Srs, Variant,
    },
};
use rand::rngs::OsRng;
use serde_json::json;

use crate::{
    files::pvss::{read_stakes, refused},
    progress::Progress,
    pvss::BoundsArgs,
    report::Report,
    table,
    values::variants,
    Error,
};

/// Make a key among players with given stakes, sign with it and verify; nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster dkg demo --stakes stakes.json")]
pub(super) struct DemoArgs {
    /// A JSON array of stakes.
    #[arg(long, value_name = "FILE")]
    stakes: PathBuf,
    #[command(flatten)]
    sharing: SharingArgs,
}

pub(super) fn run(args: &DemoArgs) -> Result<Report, Error> {
    let stakes = read_stakes(&args.stakes)?;
    let players = args.sharing.players(&stakes);
    let trial = players.run(&Progress::new()).map_err(refused(&args.stakes))?;
    Ok(report(players, &trial))
}

fn report(players: Players<'_>, trial: &Trial) -> Report {
    let (count, made) = (players.stakes.len(), &trial.weights);
    let rows = [
        ("players", count.to_string()),
        ("shares", format!("{} of {}", made.threshold, made.shares())),
        ("variant", players.variant.to_string()),
        ("bytes of a dealing", trial.bytes.to_string()),
        ("setup", table::time(trial.setup)),
        ("dealing, all players", table::time(trial.dealing)),
        ("verifying, all players", table::time(trial.verifying)),
        ("decrypting, all players", table::time(trial.decrypting)),
        ("public key", trial.public_key.clone()),
        ("signature", trial.signature.clone()),
        ("verified", trial.verified.to_string()),
    ];
    let json = json!({
        "players": count,
        "threshold": made.threshold,
        "shares": made.shares(),
        "weights": made.weights,
        "variant": players.variant.name(),
        "bytes": trial.bytes,
        "dealing_s": trial.dealing.as_secs_f64(),
        "verifying_s": trial.verifying.as_secs_f64(),
        "decrypting_s": trial.decrypting.as_secs_f64(),
        "public_key": trial.public_key,
        "signature": trial.signature,
        "verified": trial.verified,
    });
    Report { text: table::table(&rows), json }
}

/// How a committee with stakes shares.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SharingArgs {
    #[command(flatten)]
    pub(crate) bounds: BoundsArgs,
    /// How ciphertexts are proved.
    #[arg(long, value_parser = variants(), default_value_t)]
    pub(crate) variant: Variant,
    /// Bits per chunk: 8, 16 or 32.
    #[arg(long, value_name = "BITS", default_value_t = 16, value_parser = decimal::read::<u32>)]
    pub(crate) chunk_bits: u32,
}

impl SharingArgs {
    /// The players with these stakes.
    pub(super) fn players<'a>(&self, stakes: &'a [u64]) -> Players<'a> {
        let BoundsArgs { secrecy, reconstruction } = self.bounds;
        let (variant, chunk_bits) = (self.variant, self.chunk_bits);
        Players { stakes, secrecy, reconstruction, variant, chunk_bits }
    }
}

/// What a key generation is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Players<'a> {
    pub(crate) stakes: &'a [u64],
    pub(crate) secrecy: Fraction,
    pub(crate) reconstruction: Fraction,
    pub(crate) variant: Variant,
    pub(crate) chunk_bits: u32,
}

/// What came of it.
pub(crate) struct Trial {
    pub(crate) weights: Weights,
    /// Length of a dealing.
    pub(crate) bytes: usize,
    pub(crate) setup: Duration,
    /// By all players, as are the times that follow.
    pub(crate) dealing: Duration,
    pub(crate) verifying: Duration,
    pub(crate) decrypting: Duration,
    pub(crate) public_key: String,
    pub(crate) signature: String,
    pub(crate) verified: bool,
}

impl Players<'_> {
    /// Makes a key among the players, signs with it and verifies.
    pub(crate) fn run(self, progress: &Progress) -> Result<Trial, Fault> {
        let Self { stakes, secrecy, reconstruction, variant, chunk_bits } = self;
        let made = weights(stakes, secrecy, reconstruction)?;
        let shape = Shape::new(variant, chunk_bits, made.threshold, &made.weights)?;
        let keys: Vec<SecretKeys> =
            stakes.iter().map(|_| SecretKeys::generate(&mut OsRng)).collect();
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
        let decided = InMemoryAgreement::default().decide(certificate);
        let accepted = nodes.iter().map(|node| node.accept(&decided, &sum));
        let accepted = accepted.collect::<Result<Vec<_>, _>>()?;
        let table = Table::new(chunk_bits.min(20)).map_err(Fault::from)?;
        let search = Search::new(table);
        let (own, decrypting) = progress.timed("decrypting at every node", || {
            let open = |((player, keys), sum)| shares(&ceremony, sum, player, keys, &search);
            (1..).zip(&keys).zip(&accepted).map(open).collect::<Result<Vec<_>, _>>()
        });
        let group = group(&ceremony, &accepted[0])?;
        let message = b"muster dkg demo";
        let signed: Vec<SignatureShare<MinSigBasicBls12381>> =
            own?.iter().flatten().map(|share| share.sign(message)).collect();
        let signature = group.aggregate(message, &signed, &mut OsRng)?.signature;
        Ok(Trial {
            weights: made,
            bytes,
            setup,
            dealing,
            verifying,
            decrypting,
            verified: group.public_key().verify(message, &signature),
            public_key: to_hex(&group.public_key().to_bytes()),
            signature: to_hex(&signature.to_bytes()),
        })
    }
}
