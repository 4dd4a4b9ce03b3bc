//! What was being sent when a relayer was killed, and configurations.

mod fees;

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    path::Path,
    thread,
};

use serde_json::{json, Value};

use crate::{config::Config, fault::Fault, send::Sender, step::Step};

/// A node that gives these answers, one to each question; its address.
pub(crate) fn node(answers: Vec<Value>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().expect("a question");
            let mut reader = BufReader::new(stream.try_clone().expect("the same stream"));
            let mut length = 0;
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).expect("a line");
                if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
                    length = number.trim().parse().expect("a number");
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            let text = answer.to_string();
            let head =
                format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}", text.len());
            write!(stream, "{head}\r\n\r\n{text}").expect("written");
        }
    });
    address
}

fn count(number: u64) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "result": format!("0x{number:x}") })
}

/// A configuration in a folder, over a node with these answers.
pub(crate) fn config(dir: &Path, answers: Vec<Value>) -> Config {
    let keys = dir.join("keys");
    fs::create_dir_all(&keys).expect("a folder");
    fs::write(keys.join("proving.key"), "").expect("a file");
    let file = dir.join("config.json");
    let address = "0x00000000000000000000000000000000000a11ce";
    let config = json!({
        "chain": node(answers), "client": address, "from": address, "account": [], "source": "",
        "signature_keys": keys, "work": dir.join("work"), "cast": "false",
    });
    fs::write(&file, config.to_string()).expect("a file");
    Config::read(&file).expect("a configuration")
}

#[test]
fn a_transaction_that_was_never_sent_is_forgotten_and_one_in_a_block_is_done() {
    // Waiting, and then in blocks, each time with the newest block if it is in none.
    for answers in [vec![4], vec![5, 5], vec![5, 4, 0, 4, 1, 5]] {
        let dir = tempfile::tempdir().expect("a folder");
        let config = config(dir.path(), answers.into_iter().map(count).collect());
        let file = config.work.join("sending.json");
        let sending = json!({
            "nonce": 4, "what": "a step", "to": config.client.to_string(), "calldata": "0x01", "fee": null, "block": 0,
        });
        fs::write(&file, sending.to_string()).expect("a file");
        let sender = Sender::new(&config);
        sender.settle().expect("decided");
        assert!(!file.exists());
        sender.settle().expect("nothing to decide, and nobody is asked");
    }
}

#[test]
fn a_number_is_written_down_before_anything_is_sent() {
    let dir = tempfile::tempdir().expect("a folder");
    // `false` stands for cast: whatever became of the transaction, its number is kept.
    let config = config(dir.path(), vec![count(4), json!({ "result": {} }), count(7)]);
    let step = Step { what: "a step".into(), to: config.client, calldata: vec![1].into() };
    assert!(matches!(Sender::new(&config).send(&step), Err(Fault::Chain(_))));
    let kept = fs::read_to_string(config.work.join("sending.json")).expect("a file");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    let to = config.client.to_string();
    let expected = json!({
        "nonce": 4, "what": "a step", "to": to, "calldata": "0x01", "fee": null, "block": 7,
    });
    assert_eq!(kept, expected);
}

#[test]
fn a_contract_that_refuses_is_no_node_that_fails() {
    let dir = tempfile::tempdir().expect("a folder");
    let error = |data: Value| json!({ "error": data });
    let config = config(
        dir.path(),
        vec![
            error(json!({ "code": 3, "message": "no", "data": "0x1234" })),
            error(json!({ "code": -32000, "message": "execution reverted" })),
            error(json!({ "code": -32005, "message": "too many requests" })),
            json!({ "result": "0x" }),
        ],
    );
    let step = Step { what: "a step".into(), to: config.client, calldata: vec![1].into() };
    let simulate = || Sender::new(&config).simulate(&step);
    for reason in ["0x1234", "reverted"] {
        let Err(Fault::Refused(said)) = simulate() else { panic!("taken") };
        assert!(said.contains(reason), "{said}");
    }
    let Err(Fault::Chain(said)) = simulate() else { panic!("taken") };
    assert!(said.contains("too many requests"), "{said}");
    simulate().expect("taken");
    // Then nobody listens.
    assert!(matches!(simulate(), Err(Fault::Chain(_))));
}

#[test]
fn a_bad_configuration_names_file_and_field() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("config.json");
    let refused = |text: &str| {
        fs::write(&file, text).expect("a file");
        let Err(Fault::Config(said)) = Config::read(&file) else { panic!("taken: {text}") };
        assert!(said.starts_with(&file.display().to_string()), "{said}");
        said
    };
    assert!(refused("{").contains("EOF"));
    assert!(refused(r#"{ "chains": 1 }"#).contains("chains"));
    let address = "0x00000000000000000000000000000000000a11ce";
    let mut all = json!({
        "chain": "", "client": address, "from": address, "account": [], "source": "",
        "signature_keys": "nowhere", "work": dir.path(),
    });
    assert!(refused(&all.to_string()).contains("signature_keys: no keys in nowhere"));
    all["client"] = json!("0x12");
    assert!(
        refused(&all.to_string()).contains("odd") || refused(&all.to_string()).contains("length")
    );
    assert!(matches!(Config::read(&dir.path().join("none.json")), Err(Fault::Config(_))));
}
