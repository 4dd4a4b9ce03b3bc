//! `muster frost dkg`.

use std::slice;

use clap::Subcommand;
use muster_schemes::decimal;
use muster_threshold::frost::SuiteName;
use rand::rngs::OsRng;

use super::{
    args::{located, OutArgs},
    rounds::{write_committed, write_key, write_shared, LastArgs, SecondArgs},
};
use crate::{
    files::frost::{read, read_all, Document, Parcel},
    report::Report,
    Error,
};

/// Prefix of the files.
const PREFIX: &str = "dkg";

/// Make a key together, without a dealer: nobody ever holds the whole key.
#[derive(Debug, clap::Args)]
#[command(after_help = "Each of three members, I, runs the following and sends on what it writes:
  muster frost dkg commit --suite babyjubjub --threshold 2 --signers 3 --member I --out .
  muster frost dkg share --secret dkg-secret-I.json --commitments dkg-commitment-*.json --out .
  muster frost dkg finish --state dkg-state-I.json --commitments dkg-commitment-*.json \\
      --shares dkg-share-*-to-I.json --out .

Commitments go to everyone, dkg-share-I-to-J.json to member J in secret. All must have the same
commitments: compare group.json at the end; it is the same file for everyone. Remove the shares
that have arrived. Nobody has to be trusted as long as fewer than the threshold collude; any member
can make the ceremony fail, but is then named.

Over secp256k1-tr the key is tweaked with a script path that nobody can spend (BIP-341); a key made by
keygen is not.")]
pub(super) struct DkgArgs {
    #[command(subcommand)]
    command: DkgCommand,
}

#[derive(Debug, Subcommand)]
enum DkgCommand {
    Commit(CommitArgs),
    /// The second step: a secret share for each other member.
    #[command(after_help = "Example:
  muster frost dkg share --secret dkg-secret-1.json --commitments dkg-commitment-*.json --out .")]
    Share(SecondArgs),
    /// The last step: check what has arrived, and add it up into the member's share.
    #[command(after_help = "Example:
  muster frost dkg finish --state dkg-state-1.json --commitments dkg-commitment-*.json \\
      --shares dkg-share-*-to-1.json --out .")]
    Finish(LastArgs),
}

/// The first step: commit to your own polynomial.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost dkg commit --suite babyjubjub --threshold 2 --signers 3 --member 1 --out .")]
struct CommitArgs {
    /// The suite.
    #[arg(long, value_parser = crate::values::frost_suites())]
    suite: SuiteName,
    /// How many members it takes to sign.
    #[arg(long, value_name = "T", value_parser = decimal::read::<u16>)]
    threshold: u16,
    /// Number of members of the group.
    #[arg(long, value_name = "N", value_parser = decimal::read::<u16>)]
    signers: u16,
    /// This member's number, from 1 to N.
    #[arg(long, value_name = "I", value_parser = decimal::read::<u16>)]
    member: u16,
    #[command(flatten)]
    out: OutArgs,
}

pub(super) fn run(args: &DkgArgs) -> Result<Report, Error> {
    match &args.command {
        DkgCommand::Commit(args) => commit(args),
        DkgCommand::Share(args) => share(args),
        DkgCommand::Finish(args) => finish(args),
    }
}

fn commit(args: &CommitArgs) -> Result<Report, Error> {
    let CommitArgs { suite, threshold, signers, member, out } = args;
    if member > signers {
        let reason = format!("--member: {member}, but there are {signers} members");
        return Err(Error::usage(reason));
    }
    let made = suite.ceremony().dkg_commit(*member, *threshold, *signers, &mut OsRng);
    write_committed(PREFIX, &made.map_err(located([]))?, out)
}

fn share(args: &SecondArgs) -> Result<Report, Error> {
    let secret: Parcel = read(&args.secret)?;
    let commitments = read_all(&args.commitments)?;
    let made = secret.suite().ceremony().dkg_share(&secret, &commitments);
    let sources = [("secret", slice::from_ref(&args.secret)), ("commitments", &args.commitments)];
    write_shared(PREFIX, &made.map_err(located(sources))?, args)
}

fn finish(args: &LastArgs) -> Result<Report, Error> {
    let state: Parcel = read(&args.state)?;
    let (commitments, shares) = (read_all(&args.commitments)?, read_all(&args.shares)?);
    let key = state.suite().ceremony().dkg_finish(&state, &commitments, &shares);
    let sources = [
        ("state", slice::from_ref(&args.state)),
        ("commitments", &args.commitments),
        ("shares", &args.shares),
    ];
    write_key(&key.map_err(located(sources))?, args)
}
