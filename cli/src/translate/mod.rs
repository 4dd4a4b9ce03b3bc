//! `muster translate`.

mod keygen;
mod prove;
mod said;
mod verify;

use self::{keygen::KeygenArgs, prove::ProveArgs, verify::VerifyArgs};
use crate::{
    export_key::{self, ExportKeyArgs},
    report::Report,
    Error,
};

/// Prove that a key-set root holds the very members of a chain's own commitment.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster translate keygen --commitment keccak-addresses --signers 19 --insecure-srs --out keys
  muster translate prove --keys keys --committee committee.json --out translation.json
  muster translate verify --keys keys translation.json --hash 0x…
  muster translate export-key --keys keys --evm --proof translation.json --out evm

Whoever knows the hash that a chain has of its committee learns from such a proof the root of the same committee, how
many members it has and what they weigh together: all that is needed to take that committee's own proofs.

  keccak-addresses     keccak256(abi.encodePacked(list)) of an address[]: everybody weighs 1
  axelar-signers       the Keccak-256 of the accounts and weights of Axelar's signers, 64 bytes of each, which whoever verifies
                       takes from the signed list
  cometbft-validators  the validators_hash of a CometBFT header, of validators with keys of Ed25519
  ethereum-sync-committee
                       hash_tree_root of a SyncCommittee: 512 seats, or 32 in the minimal preset; everybody weighs 1, and
                       a key may have several seats (--seats)
  beefy-authorities    the keyset_commitment of a BEEFY authority set, over Ethereum addresses: everybody weighs 1
  semaphore-group      the root of a group of Semaphore v4, over identities with keys of EdDSA: everybody weighs 1. The root
                       alone is that of several groups: the number of members has to come from the chain, too
  aptos-validators     the SHA-256 of keys and powers in the validators' list of Aptos, 56 bytes of each entry of 89, which
                       whoever verifies takes from the signed list; a key may be there twice (--seats)
  sui-validators       the SHA-256 of keys and powers in the validators' list of Sui or IOTA, 104 bytes of each entry of 105,
                       taken from the signed list, too

The members are in the order of the chain's commitment.")]
pub(super) struct TranslateCommand {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    Keygen(KeygenArgs),
    Prove(ProveArgs),
    Verify(VerifyArgs),
    /// Write what a contract stores of a translation's key, and what it is given of a translation.
    #[command(after_help = "Examples:
  muster translate export-key --keys keys --evm --out evm
  muster translate export-key --keys keys --evm --proof translation.json --out evm --force

The keys must be made with --kind compact. Writes what `muster export-key` writes: evm-key.json and, with a
translation, evm-proof.json. The contract has to take the hash from the chain; the root, the number of members
and the total weight may come with the proof, and are true if it holds. The number of a semaphore-group has to
come from the chain, too.")]
    ExportKey(ExportKeyArgs),
}

pub(super) fn run(command: &TranslateCommand) -> Result<Report, Error> {
    match &command.step {
        Step::Keygen(args) => keygen::run(args),
        Step::Prove(args) => prove::run(args),
        Step::Verify(args) => verify::run(args),
        Step::ExportKey(args) => export_key::run(args, said::describe),
    }
}
