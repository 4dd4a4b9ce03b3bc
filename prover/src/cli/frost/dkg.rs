//! `muster frost dkg`.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use clap::Subcommand;
use muster_threshold::frost::{
    frost_core::keys::VerifiableSecretSharingCommitment,
    identifier,
    keys::dkg::{self, Commitment, Secret1, Secret2, Share},
    unique, FrostError, Identifier, Suite, SuiteName,
};
use rand::rngs::OsRng;
use serde_json::json;
use zeroize::Zeroizing;

use super::{
    keygen::{share_file, GROUP_FILE},
    run_in, Report, Step,
};
use crate::{
    encoding::to_hex,
    files::frost::{number, suite_of, write, write_secret, GroupFile, Kind, Parcel, ShareFile},
    output::{Output, Secret},
    Error,
};

/// Make a key together, without a dealer: nobody ever holds it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Each member I of three runs, and passes on what it has written:
  muster frost dkg commit --suite babyjubjub --threshold 2 --signers 3 --member I --out .
  muster frost dkg share --secret dkg-secret-I.json --commitments dkg-commitment-*.json --out .
  muster frost dkg finish --state dkg-state-I.json --commitments dkg-commitment-*.json \\
      --shares dkg-share-*-to-I.json --out .

Commitments go to everybody, dkg-share-I-to-J.json to member J in secret. All must have the same
commitments: compare group.json in the end, it is the same file for everybody. Remove the shares
that have arrived.")]
pub(super) struct DkgArgs {
    #[command(subcommand)]
    command: DkgCommand,
}

#[derive(Debug, Subcommand)]
enum DkgCommand {
    Commit(CommitArgs),
    Share(ShareArgs),
    Finish(FinishArgs),
}

/// The first step: commit to a polynomial of one's own.
#[derive(Debug, clap::Args)]
struct CommitArgs {
    /// The suite.
    #[arg(long)]
    suite: SuiteName,
    /// How many members will sign.
    #[arg(long, value_name = "T")]
    threshold: u16,
    /// Members of the group.
    #[arg(long, value_name = "N")]
    signers: u16,
    /// This member's number, from 1 to N.
    #[arg(long, value_name = "I")]
    member: u16,
    #[command(flatten)]
    out: OutArgs,
}

/// The second step: a secret share for each other member.
#[derive(Debug, clap::Args)]
struct ShareArgs {
    /// What the member kept; it is removed.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Everybody's commitments.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    commitments: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

/// The last step: check what has arrived, and add it up to the member's share.
#[derive(Debug, clap::Args)]
struct FinishArgs {
    /// What the member kept after the second step; it is removed.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Everybody's commitments.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    commitments: Vec<PathBuf>,
    /// The shares that the others made for this member.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    shares: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

#[derive(Debug, clap::Args)]
struct OutArgs {
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

impl OutArgs {
    fn open(&self, public: &[&str]) -> Result<Output, Error> {
        Output::new(&self.out, public, self.force)
    }
}

pub(super) fn run(args: &DkgArgs) -> Result<Report, Error> {
    match &args.command {
        DkgCommand::Commit(args) => run_in(args.suite, args),
        DkgCommand::Share(args) => run_in(suite_of(&args.secret)?, args),
        DkgCommand::Finish(args) => run_in(suite_of(&args.state)?, args),
    }
}

/// Everybody's commitments but the member's own, which must be the one that it made.
fn others<C: Suite>(
    paths: &[PathBuf],
    (own, made): (&Identifier<C>, &VerifiableSecretSharingCommitment<C>),
) -> Result<BTreeMap<Identifier<C>, Commitment<C>>, Error> {
    let read = |path: &PathBuf| {
        let parcel = Parcel::read::<C>(path, Kind::DkgCommitment)?;
        let from = parcel.from::<C>(path)?;
        let commitment = parcel.content::<C, _>(path, Commitment::deserialize)?;
        match from == *own && commitment.commitment() != made {
            true => Err(Error::field(path, "content", "not what this member has committed to")),
            false => Ok((from, commitment)),
        }
    };
    let commitments = paths.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
    let mut commitments = unique::<C, _>(commitments)?;
    commitments.remove(own);
    Ok(commitments)
}

fn report<C: Suite>(member: u16, out: &Path, names: &[String], what: &str) -> Report {
    let files: Vec<_> = names.iter().map(|name| out.join(name)).collect();
    let lines = files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join("\n");
    let json = json!({ "suite": C::NAME, "member": member, "files": files });
    Report { text: format!("member {member}: {what}\n{lines}"), json }
}

impl Step for CommitArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let member = self.member;
        if member > self.signers {
            let reason = format!("--member: {member}, but there are {} members", self.signers);
            return Err(Error::Usage(reason));
        }
        let id = identifier::<C>(member)?;
        let (secret, commitment) = dkg::commit::<C>(id, self.threshold, self.signers, &mut OsRng)?;
        let names = [format!("dkg-commitment-{member}.json"), format!("dkg-secret-{member}.json")];
        let mut output =
            self.out.open(&[&names[0]])?.secrets(Secret::Parcel(Kind::DkgSecret), &names[1..])?;
        let parcel = |kind, content| Parcel::new::<C>(kind, Some(member), None, content);
        let secret = secret.serialize().map_err(FrostError::from)?;
        write_secret(&mut output, &names[1], &parcel(Kind::DkgSecret, secret))?;
        let commitment = commitment.serialize().map_err(FrostError::from)?;
        write(&mut output, &names[0], &parcel(Kind::DkgCommitment, commitment))?;
        output.commit()?;
        Ok(report::<C>(member, &self.out.out, &names, "the first file is for everybody"))
    }
}

impl Step for ShareArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let parcel = Parcel::read::<C>(&self.secret, Kind::DkgSecret)?;
        let secret = parcel.content::<C, _>(&self.secret, Secret1::deserialize)?;
        let id = *secret.identifier();
        let others = others(&self.commitments, (&id, secret.commitment()))?;
        let (state, shares) = dkg::share::<C>(secret, &others)?;
        let member = number::<C>(&id)?;
        let mut files = vec![(format!("dkg-state-{member}.json"), Kind::DkgState, None, {
            Zeroizing::new(state.serialize().map_err(FrostError::from)?)
        })];
        for (to, share) in &shares {
            let to = number::<C>(to)?;
            let content = Zeroizing::new(share.serialize().map_err(FrostError::from)?);
            let name = format!("dkg-share-{member}-to-{to}.json");
            files.push((name, Kind::DkgShare, Some(to), content));
        }
        let names: Vec<_> = files.iter().map(|(name, ..)| name.clone()).collect();
        let mut output = self
            .out
            .open(&[])?
            .secrets(Secret::Parcel(Kind::DkgState), &names[..1])?
            .secrets(Secret::Parcel(Kind::DkgShare), &names[1..])?;
        for (name, kind, to, content) in files {
            let parcel = Parcel::new::<C>(kind, Some(member), to, content.as_slice());
            write_secret(&mut output, &name, &parcel)?;
        }
        output.commit()?;
        // The polynomial is not needed any more, and whoever has it has everything.
        fs::remove_file(&self.secret).map_err(Error::io(&self.secret))?;
        let what = "each share is for its member alone; the member's secret is removed";
        Ok(report::<C>(member, &self.out.out, &names, what))
    }
}

impl Step for FinishArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let parcel = Parcel::read::<C>(&self.state, Kind::DkgState)?;
        let state = parcel.content::<C, _>(&self.state, Secret2::deserialize)?;
        let id = *state.identifier();
        let read = |path: &PathBuf| {
            let parcel = Parcel::read::<C>(path, Kind::DkgShare)?;
            if parcel.to::<C>(path)? != id {
                return Err(Error::field(path, "to", "another member"));
            }
            Ok((parcel.from::<C>(path)?, parcel.content::<C, _>(path, Share::deserialize)?))
        };
        let shares = self.shares.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        let others = others(&self.commitments, (&id, state.commitment()))?;
        let (share, group) = dkg::finish::<C>(&state, &others, &unique::<C, _>(shares)?)?;
        let member = number::<C>(&id)?;
        let names = [GROUP_FILE.to_owned(), share_file(member)];
        let mut output = self.out.open(&[GROUP_FILE])?.secrets(Secret::FrostShare, &names[1..])?;
        write(&mut output, &names[0], &GroupFile::new(&group)?)?;
        write_secret(&mut output, &names[1], &ShareFile::new(&share)?)?;
        output.commit()?;
        // With the shares that have arrived it is the member's share of the key.
        fs::remove_file(&self.state).map_err(Error::io(&self.state))?;
        let key = to_hex(&group.verifying_key().serialize().map_err(FrostError::from)?);
        let mut report =
            report::<C>(member, &self.out.out, &names, &format!("the group's public key is {key}"));
        report.json["public_key"] = key.into();
        Ok(report)
    }
}
