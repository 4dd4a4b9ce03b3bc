//! What the importers are given on the command line.

use std::path::PathBuf;

use muster_prover::encoding::from_hex_exact;
use muster_schemes::decimal;

use crate::{store_args::FolderArgs, values::word};

/// From a CometBFT node: its validators, and which of them signed a block.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl 'http://localhost:26657/commit?height=20082941' > commit.json
  curl 'http://localhost:26657/validators?height=20082941&per_page=100' > validators.json
  muster import cometbft --commit commit.json --validators validators.json --chain-id my-chain --out block
  muster check --committee block/committee.json --signatures block/signatures.json \\
      --threshold '>2/3' --message-form cometbft-precommit

Writes committee.json, signatures.json and message.json. The last is the precommit that everyone signed,
except for their times; `muster verify --precommit` takes it. The header must have the hash that was
signed, and the validators must have the hash in the header. Every signature is verified, for the block and
for nil: if one is bad, its validator is named, and the exit status is 1. Validators who sent nothing or
voted for nil are named.

A set cannot hold some keys that a chain accepts: those of a type other than Ed25519, of small order, off
the curve, or whose secret is public knowledge. Their validators have empty places and are named, whatever
they signed; their power still counts towards the total that '>2/3' refers to. Whether these are the validators
that the chain should have is not checked: anyone can make up validators who sign a header of their own.")]
pub(super) struct CometbftArgs {
    /// Response of /commit.
    #[arg(long, value_name = "FILE")]
    pub(super) commit: PathBuf,
    /// Response of /validators at the same height; if it has several pages, all of them in order.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) validators: Vec<PathBuf>,
    /// Chain id that the commit must have.
    #[arg(long, value_name = "ID")]
    pub(super) chain_id: Option<String>,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From Safe's transaction service: the owners of an account, and who of them confirmed a
/// transaction.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl \"$SERVICE/api/v1/safes/$ADDRESS/\" > safe.json
  curl \"$SERVICE/api/v1/multisig-transactions/$HASH/\" > transaction.json
  muster import safe --safe safe.json --transaction transaction.json --chain-id 1 --out payment
  muster check --committee payment/committee.json --signatures payment/signatures.json --threshold 2

With --chain-id, the transaction must have the hash that was signed (Safe 1.3.0 or later). Wallets that sign
with eth_sign sign another message, the hash behind a prefix, and a proof is about one message: --eth-sign
takes those signatures instead. A contract that answers for its owner and a hash that was approved on the
chain are no signatures, and cannot be proven; they are named.")]
pub(super) struct SafeArgs {
    /// Response of /safes/ADDRESS/.
    #[arg(long, value_name = "FILE")]
    pub(super) safe: PathBuf,
    /// Response of /multisig-transactions/HASH/.
    #[arg(long, value_name = "FILE")]
    pub(super) transaction: PathBuf,
    /// Chain of the account, to compute the transaction's hash.
    #[arg(long, value_name = "N", value_parser = decimal::read::<u64>)]
    pub(super) chain_id: Option<u64>,
    /// Take the signatures that were made with eth_sign.
    #[arg(long)]
    pub(super) eth_sign: bool,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From Wormhole: a VAA, and the guardian set that signed it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl \"$GUARDIAN/v1/signed_vaa/$CHAIN/$EMITTER/$SEQUENCE\" > vaa.json
  curl \"$GUARDIAN/v1/guardianset/current\" > guardians.json
  muster import vaa --vaa vaa.json --guardians guardians.json --out transfer
  muster import vaa --vaa vaa.hex --upgrade upgrade.hex --out transfer
  muster check --committee transfer/committee.json --signatures transfer/signatures.json --threshold '>2/3'")]
pub(super) struct VaaArgs {
    /// The VAA: a response of an API, base64, hex or bytes.
    #[arg(long, value_name = "FILE")]
    pub(super) vaa: PathBuf,
    /// The guardian set: a response of /v1/guardianset/current, or a list of addresses.
    #[arg(long, value_name = "FILE", required_unless_present = "upgrade")]
    pub(super) guardians: Option<PathBuf>,
    /// The VAA that installs the guardian set.
    #[arg(long, value_name = "FILE", conflicts_with = "guardians")]
    pub(super) upgrade: Option<PathBuf>,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From Hyperlane: checkpoints that validators signed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster import hyperlane --checkpoints a.json b.json --validators validators.txt --threshold 2 --out checkpoint
  muster check --committee checkpoint/committee.json --signatures checkpoint/signatures.json --threshold 2")]
pub(super) struct HyperlaneArgs {
    /// checkpoint_INDEX_with_id.json of each validator.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) checkpoints: Vec<PathBuf>,
    /// Addresses of the validators: a list, or a committee.
    #[arg(long, value_name = "FILE")]
    pub(super) validators: PathBuf,
    /// How many of them have to sign.
    #[arg(long, value_name = "T", value_parser = decimal::read::<u64>)]
    pub(super) threshold: u64,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From Circle's CCTP: a message and its attestation.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl \"$IRIS/v2/messages/$DOMAIN?transactionHash=$HASH\" > message.json
  muster import cctp --message message.json --attesters attesters.txt --threshold 2 --out burn
  muster check --committee burn/committee.json --signatures burn/signatures.json --threshold 2

The attesters and their threshold are those of the contract MessageTransmitter on the destination
(getEnabledAttester, signatureThreshold).")]
pub(super) struct CctpArgs {
    /// Response of /v2/messages with one message.
    #[arg(long, value_name = "FILE")]
    pub(super) message: PathBuf,
    /// Addresses of the attesters: a list, or a committee.
    #[arg(long, value_name = "FILE")]
    pub(super) attesters: PathBuf,
    /// How many of them have to sign.
    #[arg(long, value_name = "T", value_parser = decimal::read::<u64>)]
    pub(super) threshold: u64,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From Axelar: a transaction to a gateway, and the weighted signers who signed it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cast tx $HASH input > transaction.hex
  muster import axelar --transaction transaction.hex --domain-separator 0x… --out rotation
  muster check --committee rotation/committee.json --signatures rotation/signatures.json --threshold 3

The transaction approves messages or names the next signers (approveMessages, rotateSigners). The committee has the
signers in its proof with their weights. With --signers-hash they must have the hash that the gateway has of them. Of a
transaction that names the next signers, --json has these as a committee's file, too, under next_committee: that is
what `muster translate prove` takes for axelar-signers.")]
pub(super) struct AxelarArgs {
    /// The transaction's input, in hex.
    #[arg(long, value_name = "FILE")]
    pub(super) transaction: PathBuf,
    /// The gateway's domainSeparator.
    #[arg(long, value_name = "HEX", value_parser = word)]
    pub(super) domain_separator: [u8; 32],
    /// The hash that the gateway has of the signers.
    #[arg(long, value_name = "HEX", value_parser = word)]
    pub(super) signers_hash: Option<[u8; 32]>,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From drand: a round, and the network that signed it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl \"https://api.drand.sh/$CHAIN/info\" > info.json
  curl \"https://api.drand.sh/$CHAIN/public/1000\" > round.json
  muster import drand --round round.json --info info.json --chain-hash 0x… --out round
  muster check --committee round/committee.json --signatures round/signatures.json --threshold 1 \\
      --rule trusted-keys --hash nul

All networks of the League of Entropy are known by their hash (default, quicknet, evmnet), and of others all
schemes that drand has. A network has one key, whose shares its nodes hold: the committee has one member, and
a proof says that the network signed the round. It hides the signature, so it says nothing of the randomness,
which is its hash.")]
pub(super) struct DrandArgs {
    /// Response of /public/ROUND.
    #[arg(long, value_name = "FILE")]
    pub(super) round: PathBuf,
    /// Response of /info.
    #[arg(long, value_name = "FILE")]
    pub(super) info: PathBuf,
    /// Hash that the network must have, 32 bytes in hex.
    #[arg(long, value_name = "HEX", value_parser = chain_hash)]
    pub(super) chain_hash: Option<[u8; 32]>,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// A hash as drand writes it, without `0x`, or with it.
fn chain_hash(text: &str) -> Result<[u8; 32], String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    word(&format!("0x{digits}"))
}

/// From EigenDA: a batch that operators signed, and who they are.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  grpcurl -d '{\"blob_key\": \"'$KEY'\"}' $DISPERSER disperser.v2.Disperser/GetBlobStatus > batch.json
  cast call $RETRIEVER 'getOperatorState(address,bytes,uint32)' $COORDINATOR 0x0001 $BLOCK > operators.txt
  cast logs --json --from-block $FIRST --address $APK_REGISTRY \\
      'NewPubkeyRegistration(address,(uint256,uint256),(uint256[2],uint256[2]))' > keys.json
  muster import eigenda --batch batch.json --operators operators.txt --keys keys.json --quorum 0 --out batch
  muster check --committee batch/committee.json --signatures batch/signatures.json --threshold 8192 \\
      --rule trusted-keys --seats --hash try-and-increment:64

The quorums and the block are those of the batch: 0x0001 are the quorums 0 and 1, in its order. Answers of eth_call
and eth_getLogs do as well. A batch has one signature by the operators of all of its quorums, an operator's once
for each quorum: the committee has a seat for each. A statement is about one quorum, whose seats weigh what
their stakes are; all others weigh 1, and the threshold is higher by the number of those. The threshold that is
printed says that --confirmation percent of the stake signed, or more. Import again for each other quorum.")]
pub(super) struct EigenDaArgs {
    /// The reply of GetBlobStatus, of the second version, in JSON.
    #[arg(long, value_name = "FILE")]
    pub(super) batch: PathBuf,
    /// What getOperatorState returns for the batch's quorums at its block.
    #[arg(long, value_name = "FILE")]
    pub(super) operators: PathBuf,
    /// The events of the operators' registrations.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) keys: Vec<PathBuf>,
    /// The quorum that the statement is about; needed if the batch has several.
    #[arg(long, value_name = "Q", value_parser = decimal::read::<u8>)]
    pub(super) quorum: Option<u8>,
    /// How much of the quorum's stake has to sign, in percent.
    #[arg(long, value_name = "P", default_value = "55", value_parser = decimal::within::<u8>(1..=100))]
    pub(super) confirmation: u8,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From Sui or IOTA: a checkpoint, and the committee that signed it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl \"https://checkpoints.mainnet.sui.io/$NUMBER.chk\" > checkpoint.chk
  curl \"$NODE\" -H 'Content-Type: application/json' \\
      -d '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"suix_getCommitteeInfo\",\"params\":[\"500\"]}' > committee.json
  muster import sui --checkpoint checkpoint.chk --committee committee.json --out checkpoint
  muster import sui --checkpoint checkpoint.chk --committee last-of-the-epoch-before.chk --out checkpoint
  muster import iota --checkpoint checkpoint.chk --committee committee.json --out checkpoint

A checkpoint is read in BCS, as the bucket of the network has it, or in hex or base64; only its summary and the
signature are looked at. IOTA's method is iotax_getCommitteeInfo. The signature must hold. What is signed is
the summary in BCS between an intent and the epoch: a circuit that hashes it has a length in its shape, which
--message-form names. For summaries that are longer than circuits hash (the last ones of an epoch, which name
the next committee), the message is the point that they are hashed to.")]
pub(super) struct SuiArgs {
    /// The checkpoint, in BCS.
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: PathBuf,
    /// The committee: a response of getCommitteeInfo, or the last checkpoint of the epoch before.
    #[arg(long, value_name = "FILE")]
    pub(super) committee: PathBuf,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From NEAR: a block as a light client gets it, and the producers who approved of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl \"$NODE\" -H 'Content-Type: application/json' \\
      -d '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"next_light_client_block\",\"params\":[\"'$HASH'\"]}' > block.json
  muster import near --block block.json --producers block-of-the-epoch-before.json --out block
  muster check --committee block/committee.json --signatures block/signatures.json \\
      --threshold '>2/3' --message-form bytes:41

What producers sign is the hash of the block after the one in the file, and the height of the one with their
approvals: 41 bytes, which are public. The producers are those whom a block of the epoch before names; they
must have the hash in its header. Or they are a list, as EXPERIMENTAL_validators_ordered answers it. Stakes
in yoctoNEAR are too wide for weights and lose their lowest bits; '>2/3' refers to all of them, and rounds
so that no less than that is proven. Producers whose keys are not of Ed25519 are left out and named; their
stakes count in the total.")]
pub(super) struct NearArgs {
    /// Response of next_light_client_block.
    #[arg(long, value_name = "FILE")]
    pub(super) block: PathBuf,
    /// The producers: such a response for the epoch before, or a list.
    #[arg(long, value_name = "FILE")]
    pub(super) producers: PathBuf,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

/// From a beacon node of Ethereum: a light client's update, and the sync committee that signed it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl \"$NODE/eth/v1/beacon/light_client/bootstrap/$ROOT\" > bootstrap.json
  curl \"$NODE/eth/v1/beacon/light_client/finality_update\" > update.json
  muster import beacon --update update.json --committee bootstrap.json --out sync
  muster check --committee sync/committee.json --signatures sync/signatures.json \\
      --threshold '>=2/3' --rule trusted-keys --seats

The committee must be in the state of the header that it comes with, and sign in the update's period. Compare
the block that is printed with a checkpoint that you trust. Without --genesis-validators-root and
--fork-version, the network is mainnet, and the fork the one that the update names.")]
pub(super) struct BeaconArgs {
    /// Response of light_client/updates with count=1, finality_update or optimistic_update.
    #[arg(long, value_name = "FILE")]
    pub(super) update: PathBuf,
    /// The committee: the bootstrap of the same period, or an update of the period before.
    #[arg(long, value_name = "FILE")]
    pub(super) committee: PathBuf,
    /// Version of the fork under which the update was signed, 4 bytes in hex.
    #[arg(long, value_name = "HEX", value_parser = version)]
    pub(super) fork_version: Option<[u8; 4]>,
    /// Root of the validators at genesis, which tells networks apart.
    #[arg(long, value_name = "HEX", value_parser = word)]
    pub(super) genesis_validators_root: Option<[u8; 32]>,
    #[command(flatten)]
    pub(super) out: FolderArgs,
}

fn version(text: &str) -> Result<[u8; 4], String> {
    from_hex_exact(text).map_err(String::from)
}
