//! `muster import`: a command for each network, all of which do the same with what its importer reads.

mod args;

use std::path::Path;

use clap::Subcommand;
use muster_prover::{
    files::{
        axelar::Axelar,
        beacon::Beacon,
        cctp::Cctp,
        cometbft::{Cometbft, MESSAGE_FILE},
        drand::Drand,
        eigenda::EigenDa,
        hyperlane::Hyperlane,
        imported::{Aside, Imported, Importer},
        near::Near,
        safe::Safe,
        sui::{Network, Sui},
        vaa::{Guardians, Vaa},
        COMMITTEE_FILE, SIGNATURES_FILE,
    },
    output::Output,
};
use serde_json::json;

use self::args::{
    AxelarArgs, BeaconArgs, CctpArgs, CometbftArgs, DrandArgs, EigenDaArgs, HyperlaneArgs,
    NearArgs, SafeArgs, SuiArgs, VaaArgs,
};
use crate::{files::write_pretty, report::Report, store_args::FolderArgs, table::table, Error};

/// Turn a network's own data into a committee and signatures.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster import cometbft --commit commit.json --validators validators-1.json --out block
  muster import safe --safe safe.json --transaction transaction.json --out safe

Each writes committee.json and signatures.json, and says what it compared, what it had to believe, and
which commands come next. Signatures that do not hold are named and not taken, except that a commit of
CometBFT has to hold as a whole. What an importer believed is for you to check: anyone can make up members
who sign a message of their own.")]
pub(super) struct ImportCommand {
    #[command(subcommand)]
    from: From,
}

#[derive(Debug, Subcommand)]
enum From {
    Cometbft(CometbftArgs),
    Safe(SafeArgs),
    Vaa(VaaArgs),
    Hyperlane(HyperlaneArgs),
    Cctp(CctpArgs),
    Axelar(AxelarArgs),
    Beacon(BeaconArgs),
    Drand(DrandArgs),
    /// From Sui: a checkpoint, and the committee that signed it.
    Sui(SuiArgs),
    /// From IOTA: a checkpoint, and the committee that signed it.
    Iota(SuiArgs),
    Near(NearArgs),
    Eigenda(EigenDaArgs),
}

pub(super) fn run(command: ImportCommand) -> Result<Report, Error> {
    match command.from {
        From::Cometbft(CometbftArgs { commit, validators, chain_id, out }) => {
            import(&Cometbft { commit, validators, chain_id }, &out)
        }
        From::Safe(SafeArgs { safe, transaction, chain_id, eth_sign, out }) => {
            import(&Safe { safe, transaction, chain_id, eth_sign }, &out)
        }
        From::Vaa(VaaArgs { vaa, guardians, upgrade, out }) => {
            let list = || Guardians::List(guardians.unwrap_or_default());
            let guardians = upgrade.map_or_else(list, Guardians::Upgrade);
            import(&Vaa { vaa, guardians }, &out)
        }
        From::Hyperlane(HyperlaneArgs { checkpoints, validators, threshold, out }) => {
            import(&Hyperlane { checkpoints, validators, threshold }, &out)
        }
        From::Cctp(CctpArgs { message, attesters, threshold, out }) => {
            import(&Cctp { message, attesters, threshold }, &out)
        }
        From::Axelar(AxelarArgs { transaction, domain_separator, signers_hash, out }) => {
            import(&Axelar { transaction, domain_separator, signers_hash }, &out)
        }
        From::Beacon(args) => {
            let BeaconArgs { update, committee, fork_version, genesis_validators_root, out } = args;
            import(&Beacon { update, committee, fork_version, genesis_validators_root }, &out)
        }
        From::Drand(DrandArgs { round, info, chain_hash, out }) => {
            import(&Drand { round, info, chain_hash }, &out)
        }
        From::Sui(SuiArgs { checkpoint, committee, out }) => {
            import(&Sui { network: Network::Sui, checkpoint, committee }, &out)
        }
        From::Iota(SuiArgs { checkpoint, committee, out }) => {
            import(&Sui { network: Network::Iota, checkpoint, committee }, &out)
        }
        From::Near(NearArgs { block, producers, out }) => import(&Near { block, producers }, &out),
        From::Eigenda(EigenDaArgs { batch, operators, keys, quorum, confirmation, out }) => {
            import(&EigenDa { batch, operators, keys, quorum, confirmation }, &out)
        }
    }
}

/// Reads a network's files, and writes what they come to.
fn import<I: Importer>(importer: &I, args: &FolderArgs) -> Result<Report, Error> {
    let mut names = vec![COMMITTEE_FILE, SIGNATURES_FILE];
    names.extend(I::HAS_MESSAGE.then_some(MESSAGE_FILE));
    let mut output = Output::new(&args.out, &names, args.force)?;
    let imported = importer.import()?;
    let Imported { committee, signatures, message, .. } = &imported;
    output.write(COMMITTEE_FILE, |file| committee.write(file))?;
    output.write(SIGNATURES_FILE, |file| write_pretty(file, &signatures.to_json()))?;
    if let Some(message) = message {
        output.write(MESSAGE_FILE, |file| write_pretty(file, message))?;
    }
    output.commit()?;
    Ok(report(imported, &args.out))
}

fn report(imported: Imported, out: &Path) -> Report {
    let signed = imported.signed();
    let Imported {
        message, threshold, options, mut rows, json, asides, compared, believed, ..
    } = imported;
    rows.push(("signed", signed));
    let lines = |title: &str, list: &[String]| {
        list.iter().map(|one| format!("{title}: {one}\n")).collect::<String>()
    };
    let not_taken: Vec<_> =
        asides.iter().map(|Aside { who, why }| format!("{who}: {why}")).collect();
    let files = [COMMITTEE_FILE, SIGNATURES_FILE].map(|name| out.join(name).display().to_string());
    let next = format!(
        "muster check --committee {} --signatures {} --threshold '{threshold}'{options}",
        files[0], files[1]
    );
    let text = format!(
        "{}\n{}{}{}{}next: {next}",
        out.display(),
        table(&rows),
        lines("not taken", &not_taken),
        lines("compared", &compared),
        lines("believed", &believed)
    );
    let mut json = json;
    json.insert("threshold".into(), json!(threshold));
    json.insert("not_taken".into(), asides.iter().map(Aside::to_json).collect());
    json.insert("compared".into(), json!(compared));
    json.insert("believed".into(), json!(believed));
    json.insert("next".into(), json!([next]));
    json.insert("committee".into(), json!(files[0]));
    json.insert("signatures".into(), json!(files[1]));
    if message.is_some() {
        json.insert("message".into(), json!(out.join(MESSAGE_FILE)));
    }
    Report { text, json: json.into() }
}
