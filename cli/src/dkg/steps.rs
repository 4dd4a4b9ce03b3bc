//! What each step of `muster dkg` reads, does and writes.

use std::path::PathBuf;

use muster_prover::{
    encoding::to_hex,
    output::{Output, Secret},
};
use muster_threshold::dkg::{
    group, shares, weights, Attestation, Ceremony, Certificate, Fraction, Node, Proposal, Verdict,
};
use serde_json::json;

use crate::{
    files::{
        bls_threshold::{secret_name, GroupFile, SecretFile, GROUP_FILE},
        pvss::{
            pretty, read, read_stakes, refused, AttestationFile, CertificateFile, ProposalFile,
            SessionFile,
        },
        write_pretty,
    },
    progress::Progress,
    pvss::{open_keys, read_dealing, read_sum, warn_if_insecure, BoundsArgs, OutArgs, TableArgs},
    report::Report,
    Error,
};

/// Turn stakes into shares: as few as meet both bounds.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster dkg weights --stakes stakes.json")]
pub(crate) struct WeightsArgs {
    /// A JSON array of stakes.
    #[arg(long, value_name = "FILE")]
    stakes: PathBuf,
    #[command(flatten)]
    bounds: BoundsArgs,
}

/// The session, and how much stake is needed.
#[derive(Debug, clap::Args)]
struct CeremonyArgs {
    /// The session.
    #[arg(long, value_name = "FILE")]
    session: PathBuf,
    /// Dealers need more than this fraction of the stake.
    #[arg(long, value_name = "A/B", default_value = "2/3")]
    contributors: Fraction,
    /// Attesters need more than this fraction of the stake.
    #[arg(long, value_name = "A/B", default_value = "1/3")]
    attesters: Fraction,
}

impl CeremonyArgs {
    fn open(&self) -> Result<Ceremony, Error> {
        let file: SessionFile = read(&self.session)?;
        let ceremony = file.ceremony(&self.session, self.contributors, self.attesters)?;
        warn_if_insecure(&self.session, ceremony.session());
        Ok(ceremony)
    }
}

/// Verify dealings and say which are good, and who signed two.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster dkg collect --session session.json transcript-*.bin")]
pub(crate) struct CollectArgs {
    #[command(flatten)]
    ceremony: CeremonyArgs,
    /// The dealings.
    #[arg(required = true, value_name = "TRANSCRIPT")]
    transcripts: Vec<PathBuf>,
}

/// Propose all good dealings and their sum.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster dkg propose --session session.json --keys keys-1 transcript-*.bin --sum sum.bin \\
      --out proposal.json")]
pub(crate) struct ProposeArgs {
    #[command(flatten)]
    ceremony: CeremonyArgs,
    /// The player's directory of keys.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The dealings.
    #[arg(required = true, value_name = "TRANSCRIPT")]
    transcripts: Vec<PathBuf>,
    /// File for the sum of the dealings.
    #[arg(long, value_name = "FILE")]
    sum: PathBuf,
    #[command(flatten)]
    out: OutArgs,
}

/// Check a proposal against the given dealings, and sign it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster dkg attest --session session.json --keys keys-1 --proposal proposal.json \\
      transcript-*.bin --out attestation-1.json")]
pub(crate) struct AttestArgs {
    #[command(flatten)]
    ceremony: CeremonyArgs,
    /// The player's directory of keys.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The proposal.
    #[arg(long, value_name = "FILE")]
    proposal: PathBuf,
    /// The dealings.
    #[arg(required = true, value_name = "TRANSCRIPT")]
    transcripts: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

/// Combine attestations into a certificate.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster dkg certify --session session.json --proposal proposal.json attestation-*.json \\
      --out certificate.json")]
pub(crate) struct CertifyArgs {
    #[command(flatten)]
    ceremony: CeremonyArgs,
    /// The proposal.
    #[arg(long, value_name = "FILE")]
    proposal: PathBuf,
    /// The attestations.
    #[arg(required = true, value_name = "ATTESTATION")]
    attestations: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

/// Decrypt a player's shares of the certified sum: writes group.json and a secret for each share.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster dkg shares --session session.json --keys keys-1 --certificate certificate.json \\
      --sum sum.bin --out key-1")]
pub(crate) struct SharesArgs {
    #[command(flatten)]
    ceremony: CeremonyArgs,
    /// The player's directory of keys.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The certificate that was decided.
    #[arg(long, value_name = "FILE")]
    certificate: PathBuf,
    /// The sum of the dealings.
    #[arg(long, value_name = "FILE")]
    sum: PathBuf,
    #[command(flatten)]
    table: TableArgs,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run_weights(args: &WeightsArgs) -> Result<Report, Error> {
    let stakes = read_stakes(&args.stakes)?;
    let BoundsArgs { secrecy, reconstruction } = args.bounds;
    let made = weights(&stakes, secrecy, reconstruction);
    let made = made.map_err(|found| Error::file(&args.stakes, found.to_string()))?;
    let text =
        format!("{} of {} shares, weights {:?}", made.threshold, made.shares(), made.weights);
    let json = json!({
        "weights": made.weights,
        "shares": made.shares(),
        "threshold": made.threshold,
        "secrecy": secrecy.to_string(),
        "reconstruction": reconstruction.to_string(),
    });
    Ok(Report { text, json })
}

/// Reads dealings into a node, and reports what it says of each. A file that nobody signed is
/// reported, but does not stop it.
fn receive(
    ceremony: &Ceremony,
    node: &mut Node<'_>,
    paths: &[PathBuf],
) -> Result<Vec<String>, Error> {
    let (mut lines, mut all, mut names) = (vec![], vec![], vec![]);
    for path in paths {
        match read_dealing(ceremony.session(), path) {
            Ok(dealing) => {
                all.push(dealing);
                names.push(path);
            }
            Err(error @ Error::BadThresholdSignature { .. }) => lines.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    let verdicts = Progress::new().run("verifying", || node.receive_all(&all));
    for ((verdict, path), (dealer, _)) in verdicts.iter().zip(names).zip(&all) {
        let path = path.display();
        match verdict {
            Verdict::Accepted | Verdict::Known => {}
            Verdict::Refused(found) => lines.push(format!("refused: {path}: {found}")),
            Verdict::Equivocation(_) => {
                lines.push(format!("refused: {path}: player {dealer} has signed two dealings"));
            }
        }
    }
    Ok(lines)
}

pub(crate) fn collect(args: &CollectArgs) -> Result<Report, Error> {
    let ceremony = args.ceremony.open()?;
    let mut node = Node::observer(&ceremony);
    let lines = receive(&ceremony, &mut node, &args.transcripts)?;
    let dealers = node.dealers();
    let enough = node.propose().is_ok();
    let state = if enough { "enough" } else { "not enough" };
    let mut text = format!("good dealings of players {dealers:?}, {state}");
    lines.iter().for_each(|line| text.push_str(&format!("\n{line}")));
    let json = json!({ "dealers": dealers, "enough": enough, "refused": lines });
    Ok(Report { text, json })
}

pub(crate) fn propose(args: &ProposeArgs) -> Result<Report, Error> {
    let ceremony = args.ceremony.open()?;
    let (player, keys) = open_keys(ceremony.session(), &args.keys)?;
    let mut node = Node::new(&ceremony, player, &keys).map_err(refused(&args.keys))?;
    let lines = receive(&ceremony, &mut node, &args.transcripts)?;
    lines.iter().for_each(|line| Progress::new().warn(line));
    let (proposal, sum) = node.propose().map_err(refused(&args.ceremony.session))?;
    let (file, bytes) = (ProposalFile::new(&proposal), sum.to_bytes(ceremony.session()));
    args.out.write_both(&pretty(&file), (&args.sum, &bytes))?;
    let out = args.out.out.display();
    let text = format!("{out}: the dealings of players {:?}", proposal.dealers);
    let json = json!({
        "dealers": proposal.dealers,
        "sum": args.sum,
        "public_key": to_hex(&sum.public_key()),
        "out": args.out.out,
    });
    Ok(Report { text, json })
}

pub(crate) fn attest(args: &AttestArgs) -> Result<Report, Error> {
    let ceremony = args.ceremony.open()?;
    let (player, keys) = open_keys(ceremony.session(), &args.keys)?;
    let mut node = Node::new(&ceremony, player, &keys).map_err(refused(&args.keys))?;
    let lines = receive(&ceremony, &mut node, &args.transcripts)?;
    lines.iter().for_each(|line| Progress::new().warn(line));
    let proposal = read::<ProposalFile>(&args.proposal)?.decode(&args.proposal)?;
    let made = node.attest(&proposal).map_err(refused(&args.proposal))?;
    args.out.write(&pretty(&AttestationFile::new(&made)))?;
    let text = format!("{}: attested by player {player}", args.out.out.display());
    Ok(Report { text, json: json!({ "player": player, "out": args.out.out }) })
}

pub(crate) fn certify(args: &CertifyArgs) -> Result<Report, Error> {
    let ceremony = args.ceremony.open()?;
    let proposal: Proposal = read::<ProposalFile>(&args.proposal)?.decode(&args.proposal)?;
    let decode = |path: &PathBuf| read::<AttestationFile>(path)?.decode(path);
    let attestations: Vec<Attestation> =
        args.attestations.iter().map(decode).collect::<Result<_, _>>()?;
    let made =
        Certificate::new(&ceremony, proposal, &attestations).map_err(refused(&args.proposal))?;
    args.out.write(&pretty(&CertificateFile::new(&made)))?;
    let out = args.out.out.display();
    let text = format!("{out}: attested by players {:?}", made.attesters);
    Ok(Report { text, json: json!({ "attesters": made.attesters, "out": args.out.out }) })
}

pub(crate) fn run_shares(args: &SharesArgs) -> Result<Report, Error> {
    let ceremony = args.ceremony.open()?;
    let (player, keys) = open_keys(ceremony.session(), &args.keys)?;
    let certificate: Certificate =
        read::<CertificateFile>(&args.certificate)?.decode(&args.certificate)?;
    let sum = read_sum(ceremony.session(), &args.sum)?;
    let sum = certificate.verify(&ceremony, &sum).map_err(refused(&args.certificate))?;
    let search = args.table.open()?;
    let open = || shares(&ceremony, &sum, player, &keys, &search);
    let own = Progress::new().run("decrypting", open).map_err(refused(&args.sum))?;
    let group = group(&ceremony, &sum).map_err(refused(&args.sum))?;
    let names: Vec<String> = own.iter().map(|share| secret_name(share.index())).collect();
    let output = Output::new(&args.out, &[GROUP_FILE], args.force)?;
    let mut output = output.secrets(Secret::BlsShare, &names)?;
    for (share, name) in own.iter().zip(&names) {
        let content = SecretFile::new(share);
        output.write_secret(name, |file| write_pretty(file, &content))?;
    }
    let content = GroupFile::new(&group);
    output.write(GROUP_FILE, |file| write_pretty(file, &content))?;
    output.commit()?;
    let key = to_hex(&group.public_key().to_bytes());
    let text = format!(
        "{}: {} shares of player {player}; {} of {} sign for {key}",
        args.out.display(),
        own.len(),
        group.threshold(),
        group.signers().len(),
    );
    let indices: Vec<u32> = own.iter().map(|share| share.index()).collect();
    let json = json!({
        "player": player,
        "shares": indices,
        "threshold": group.threshold(),
        "public_key": key,
        "group": args.out.join(GROUP_FILE),
    });
    Ok(Report { text, json })
}
