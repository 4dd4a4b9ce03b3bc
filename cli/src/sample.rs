//! `muster sample`.

use std::num::NonZeroUsize;

use muster_circuits::Scheme;
use muster_prover::{
    encoding::message_to_hex,
    files::{CommitteeFile, SignaturesFile, COMMITTEE_FILE, SECRETS_FILE, SIGNATURES_FILE},
    output::{Output, Secret},
    sample::{Plan, Sample, Source},
};
use muster_schemes::decimal;
use serde_json::json;

use crate::{
    files::write_pretty,
    options::{KeysArgs, SigningArgs},
    progress::Progress,
    report::Report,
    shape::TreeArgs,
    store_args::FolderArgs,
    values::{bytes, message, Bytes},
    Error,
};

/// Make a committee and signatures by some of its members, to try things out.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster sample --scheme schnorr-babyjubjub --signers 16 --signing 8 --out sample
  muster sample --scheme ecdsa-secp256k1 --keys address --signers 16 --signing 8 --out sample
  muster sample --scheme musig-babyjubjub --signers 256 --signing 128 --seed 1 --out sample
  muster sample --scheme bls-bls12-381 --signers 8 --owners 5 --signing 7 --out beacon
  muster sample --scheme bls-bls12-381 --signers 8 --signing 7 --apart --out beacon

Writes committee.json and signatures.json. For musig-babyjubjub the signature is bound to the root of
the tree: give the --arity and --depth that the keys are made with, if they are not the defaults.")]
pub(super) struct SampleArgs {
    /// Name of the scheme; see `muster schemes`.
    #[arg(long, value_parser = crate::values::schemes())]
    scheme: Scheme,
    #[command(flatten)]
    keys: KeysArgs,
    /// Number of members of the committee.
    #[arg(long, value_name = "N", value_parser = decimal::read::<usize>)]
    signers: usize,
    /// How many of them sign.
    #[arg(long, value_name = "K", value_parser = decimal::read::<usize>)]
    signing: usize,
    /// Number of different keys, where keys add up (BLS): members hold them in turn, and commands
    /// that read the committee need --seats.
    #[arg(long, value_name = "M", value_parser = decimal::within::<usize>(1..=usize::MAX))]
    owners: Option<usize>,
    /// Make the same sample every time, with keys that anyone can compute: for tests.
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    #[command(flatten)]
    choices: SigningArgs,
    /// The message they sign, in 0x hex: a digest of 32 bytes, a big-endian integer of 32 bytes
    /// below the modulus, any bytes, or the coordinates of a point, depending on the scheme
    /// (default: a random message).
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    message: Option<Bytes>,
    #[command(flatten)]
    tree: TreeArgs,
    /// Write each signer's own signature, for `muster aggregate`, where signatures add up (BLS).
    #[arg(long)]
    apart: bool,
    /// Also write secrets.json, readable only by its owner.
    #[arg(long)]
    with_secrets: bool,
    #[command(flatten)]
    to: FolderArgs,
}

impl SampleArgs {
    /// Whether each signs by itself: not where signatures do not add up.
    fn check_apart(&self) -> Result<(), Error> {
        if self.apart && !self.scheme.adds_keys() {
            let reason = format!("--apart: signatures of {} do not add up", self.scheme);
            return Err(Error::usage(reason));
        }
        Ok(())
    }

    /// Where the keys come from.
    fn source(&self) -> Result<Source, Error> {
        let source = self.seed.as_deref().map_or_else(Source::random, Source::from_text);
        let Some(owners) = self.owners.and_then(NonZeroUsize::new) else { return Ok(source) };
        if !self.scheme.adds_keys() {
            return Err(Error::usage(format!("--owners: keys of {} do not add up", self.scheme)));
        }
        if owners.get() > self.signers {
            let reason = format!("--owners: {owners}, but there are only {} members", self.signers);
            return Err(Error::usage(reason));
        }
        Ok(source.with_owners(owners))
    }

    /// What the committee's file holds.
    fn members(&self) -> String {
        let members = format!("{} members of {}", self.signers, self.scheme);
        match self.owners {
            Some(owners) => format!("{members} with {owners} keys, to be read with --seats"),
            None => members,
        }
    }
}

pub(super) fn run(args: &SampleArgs) -> Result<Report, Error> {
    args.check_apart()?;
    let plan = Plan {
        scheme: args.scheme,
        keys: args.keys.of(args.scheme)?,
        form: args.choices.form(),
        hash: args.choices.hash(),
        signers: args.signers,
        signing: args.signing,
        message: args.message.as_ref().map(|bytes| message(args.scheme, bytes)).transpose()?,
        tree: args.tree.dimensions(args.scheme, args.signers)?,
    };
    let secrets = args.with_secrets.then_some(SECRETS_FILE);
    let mut output = Output::new(&args.to.out, &[COMMITTEE_FILE, SIGNATURES_FILE], args.to.force)?
        .secrets(Secret::Sample, secrets.as_slice())?;
    let source = args.source()?;
    let progress = Progress::new();
    let what = format!("making {} keys and signing with {}", args.signers, args.signing);
    let sample = progress.run(&what, || Sample::new(&plan, source))?;
    if args.with_secrets {
        let secrets = sample.secrets()?;
        output.write_secret(SECRETS_FILE, |file| Ok(serde_json::to_writer(file, &secrets)?))?;
    }
    let signers = sample.signatures.members();
    let apart = args.apart.then(|| progress.run("signing one by one", || sample.apart()));
    let apart = apart.transpose()?;
    let Sample { scheme, keys, committee, message, signatures, .. } = sample;
    let signatures = apart.unwrap_or(signatures);
    let signatures = SignaturesFile { scheme, message, signatures };
    let committee = CommitteeFile { scheme, keys, committee, narrowed: None, left_out: vec![] };
    output.write(COMMITTEE_FILE, |file| committee.write(file))?;
    output.write(SIGNATURES_FILE, |file| write_pretty(file, &signatures.to_json()))?;
    output.commit()?;
    let (out, message) = (args.to.out.display(), message_to_hex(&signatures.message));
    let text = format!(
        "{out}/{COMMITTEE_FILE}: {}\n{out}/{SIGNATURES_FILE}: {} of them signed {message}",
        args.members(),
        args.signing
    );
    let json = json!({
        "scheme": scheme.name(),
        "signers": args.signers,
        "signing": signers,
        "message": message,
        "committee": args.to.out.join(COMMITTEE_FILE),
        "signatures": args.to.out.join(SIGNATURES_FILE),
        "secrets": args.with_secrets.then(|| args.to.out.join(SECRETS_FILE)),
    });
    Ok(Report { text, json })
}
