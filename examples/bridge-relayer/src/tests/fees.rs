//! Transactions that no block takes, on a chain of anvil's that makes blocks when it is told to.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::{self, sleep},
    time::Duration,
};

use serde_json::{json, Value};

use super::config;
use crate::{
    chain::{hex_number, Fee},
    config::Config,
    fault::Fault,
    send::{Sender, BLOCKS},
    source::http,
    step::Step,
};

const GIGA: u64 = 1_000_000_000;
/// How often something is asked that will come, and how many times at most.
const POLL: Duration = Duration::from_millis(50);
const TRIES: usize = 2_400;

/// A chain, which ends with the test.
struct Anvil {
    process: Child,
    url: String,
    cast: PathBuf,
}

impl Drop for Anvil {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A program of Foundry's from npm, where the examples have it, or from the path.
fn program(name: &str) -> Option<PathBuf> {
    let local =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../bridge/node_modules/.bin").join(name);
    let path = env::var_os("PATH").unwrap_or_default();
    let mut all = env::split_paths(&path).map(|dir| dir.join(name));
    if local.exists() {
        Some(local)
    } else {
        all.find(|path| path.exists())
    }
}

impl Anvil {
    /// Nothing, if it is not here.
    fn start() -> Option<Self> {
        let (Some(anvil), Some(cast)) = (program("anvil"), program("cast")) else {
            muster_testing::skip("anvil or cast", "npm ci in examples/bridge brings them");
            return None;
        };
        let mut command = Command::new(anvil);
        command.args(["--port", "0", "--no-mining", "--base-fee", "1000000000"]);
        let mut process = command.stdout(Stdio::piped()).spawn().expect("anvil starts");
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let listens = |line: String| line.strip_prefix("Listening on ").map(str::to_owned);
        let address = lines.by_ref().map_while(Result::ok).find_map(listens).expect("an address");
        // Nobody reads on, but somebody has to.
        thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Some(Self { process, url: format!("http://{address}"), cast })
    }

    fn rpc(&self, method: &str, params: &Value) -> Value {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let answer = http(&self.url, Some(&request.to_string())).expect("an answer");
        let mut answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer.get("error"), None, "{method}");
        answer["result"].take()
    }

    /// A block with whatever pays enough.
    fn mine(&self) {
        self.rpc("evm_mine", &json!([]));
    }

    /// A block that takes nothing that pays less.
    fn mine_at(&self, base: u64) {
        self.rpc("anvil_setNextBlockBaseFeePerGas", &json!([format!("0x{base:x}")]));
        self.mine();
    }

    fn from(&self) -> String {
        self.rpc("eth_accounts", &json!([]))[0].as_str().expect("an account").to_owned()
    }

    /// How many transactions are in blocks.
    fn sent(&self) -> u64 {
        let count = self.rpc("eth_getTransactionCount", &json!([self.from(), "latest"]));
        hex_number(&count).expect("a number")
    }

    /// What the dearest transaction that waits for a block offers.
    fn offer(&self) -> u64 {
        let pool = self.rpc("txpool_content", &json!([]));
        let senders = ["pending", "queued"].into_iter().filter_map(|kind| pool[kind].as_object());
        let numbers = senders.flat_map(|all| all.values().filter_map(Value::as_object));
        let offers = numbers.flat_map(|all| all.values());
        offers.filter_map(|one| hex_number(&one["maxFeePerGas"])).max().unwrap_or_default()
    }

    /// Waits until one offers more than this.
    fn until_offered(&self, least: u64) -> u64 {
        let mut offers = (0..TRIES).map(|_| {
            sleep(POLL);
            self.offer()
        });
        offers.find(|offer| *offer > least).expect("an offer")
    }

    fn config(&self, dir: &Path) -> Config {
        let from = self.from();
        Config {
            chain: self.url.clone(),
            cast: self.cast.clone(),
            account: ["--from", &from, "--unlocked"].map(Into::into).into(),
            from: from.parse().expect("an address"),
            ..config(dir, vec![])
        }
    }
}

/// A call to an account without code, which takes anything.
fn step(config: &Config) -> Step {
    Step { what: "a step".into(), to: config.client, calldata: vec![1].into() }
}

#[test]
fn a_higher_price_is_an_eighth_more_and_at_least_what_one_pays_now() {
    let fee = |max, tip| Fee { max, tip };
    assert_eq!(fee(800, 80).raised(&fee(1, 1)), fee(901, 91));
    assert_eq!(fee(800, 80).raised(&fee(5_000, 81)), fee(5_000, 91));
    assert_eq!(fee(0, 0).raised(&fee(0, 0)), fee(1, 1));
    assert_eq!(fee(u64::MAX, 3).raised(&fee(0, 0)), fee(u64::MAX, 4));
}

#[test]
fn what_no_block_takes_is_sent_again_for_more_and_executed_once() {
    let Some(anvil) = Anvil::start() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let config = anvil.config(dir.path());
    let sending = config.clone();
    let sender = thread::spawn(move || Sender::new(&sending).send(&step(&sending)));
    let first = anvil.until_offered(0);
    // The base fee rises above the offer, and anvil forgets it. Nothing is sent again before so many blocks have passed.
    for _ in 0..BLOCKS {
        assert!(anvil.offer() <= first);
        anvil.mine_at(100 * GIGA);
        assert_eq!(anvil.sent(), 0);
    }
    assert!(anvil.until_offered(first) >= 100 * GIGA);
    anvil.mine_at(100 * GIGA);
    let gas = sender.join().expect("it ends").expect("sent");
    assert!((21_000..22_000).contains(&gas), "{gas}");
    assert_eq!(anvil.sent(), 1);
    assert!(!config.work.join("sending.json").exists());
}

#[test]
fn nothing_is_sent_for_more_than_is_allowed() {
    let Some(anvil) = Anvil::start() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let capped = |most| Config { max_fee_per_gas: Some(most), ..anvil.config(dir.path()) };
    let low = capped(GIGA);
    let Err(Fault::Chain(said)) = Sender::new(&low).send(&step(&low)) else { panic!("sent") };
    assert!(said.contains("max_fee_per_gas"), "{said}");
    let config = capped(10 * GIGA);
    let file = config.work.join("sending.json");
    assert!(!file.exists());
    let sending = config.clone();
    let sender = thread::spawn(move || Sender::new(&sending).send(&step(&sending)));
    anvil.until_offered(0);
    for _ in 0..BLOCKS {
        anvil.mine_at(100 * GIGA);
    }
    let Err(Fault::Chain(said)) = sender.join().expect("it ends") else { panic!("sent") };
    assert!(said.contains("still waiting") && said.contains("max_fee_per_gas"), "{said}");
    // The number is kept. As no node has the transaction any more, it is free.
    assert!(file.exists());
    Sender::new(&config).settle().expect("decided");
    assert!(!file.exists());
    assert_eq!(anvil.sent(), 0);
}

#[test]
fn what_a_killed_relayer_sent_for_too_little_is_sent_again() {
    let Some(anvil) = Anvil::start() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let config = anvil.config(dir.path());
    (0..BLOCKS).for_each(|_| anvil.mine());
    let (from, to, offer) = (anvil.from(), config.client.to_string(), 3 * GIGA);
    let price = format!("0x{offer:x}");
    anvil.rpc("eth_sendTransaction", &json!([{
        "from": from, "to": to, "data": "0x01", "nonce": "0x0", "maxFeePerGas": price, "maxPriorityFeePerGas": "0x1",
    }]));
    let kept = json!({
        "nonce": 0, "what": "a step", "to": to, "calldata": "0x01", "fee": { "max": offer, "tip": 1 }, "block": 0,
    });
    let file = config.work.join("sending.json");
    fs::write(&file, kept.to_string()).expect("a file");
    let settling = config.clone();
    let sender = thread::spawn(move || Sender::new(&settling).settle());
    let more = anvil.until_offered(offer);
    assert!(fs::read_to_string(&file).expect("a file").contains(&more.to_string()));
    anvil.mine();
    sender.join().expect("it ends").expect("settled");
    assert_eq!(anvil.sent(), 1);
    assert!(!file.exists());
}

#[test]
fn what_a_contract_would_refuse_by_now_gives_its_number_to_an_empty_transaction() {
    let Some(anvil) = Anvil::start() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let config = anvil.config(dir.path());
    let sending = config.clone();
    let sender = thread::spawn(move || Sender::new(&sending).send(&step(&sending)));
    anvil.until_offered(0);
    for _ in 1..BLOCKS {
        anvil.mine_at(100 * GIGA);
    }
    // PUSH1 0, PUSH1 0, REVERT: somebody else was faster.
    let code = json!([config.client.to_string(), "0x60006000fd"]);
    anvil.rpc("anvil_setCode", &code);
    anvil.mine_at(100 * GIGA);
    anvil.until_offered(100 * GIGA);
    anvil.mine_at(100 * GIGA);
    let Err(Fault::Chain(said)) = sender.join().expect("it ends") else { panic!("done") };
    assert!(said.contains("refused while it waited"), "{said}");
    assert_eq!(anvil.sent(), 1);
    assert!(!config.work.join("sending.json").exists());
}
