//! Histories of workflows that ran once: a change of a workflow that breaks farms at work is noticed.
//!
//! `MUSTER_UPDATE_GOLDEN=1 cargo test -p muster-farm --test farm histories` records them anew. After a release, add some instead.

use std::{fs, path::PathBuf};

use futures::StreamExt;
use muster_farm::{
    job::Task,
    runner::{Labels, Runner, Temporal},
    submit::tree,
    temporal::{Chain, Proofs, Sweep},
};
use serde_json::Value;
use temporalio_client::{
    Client, UntypedWorkflow, WorkflowFetchHistoryOptions, WorkflowHistory, WorkflowListOptions,
};
use temporalio_sdk::workflow_replayer::{WorkflowReplayer, WorkflowReplayerOptions};

use crate::{fixture::Farm, server::Server};

const FLOWS: [&str; 3] = ["Proofs", "Chain", "Sweep"];

fn path(flow: &str) -> PathBuf {
    let name = format!("{}.json", flow.to_lowercase());
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/histories").join(name)
}

fn replayer() -> WorkflowReplayer {
    let options = WorkflowReplayerOptions::new()
        .register_workflow::<Proofs>()
        .and_then(|options| options.register_workflow::<Chain>())
        .and_then(|options| options.register_workflow::<Sweep>());
    WorkflowReplayer::new(options.unwrap().build()).unwrap()
}

#[tokio::test]
async fn what_ran_once_runs_in_the_same_way() {
    for flow in FLOWS {
        let history = WorkflowHistory::from_json(&fs::read(path(flow)).unwrap()).unwrap();
        let replayed = replayer().replay_workflow(history).await;
        replayed.unwrap_or_else(|error| panic!("{flow}: {error}"));
    }
}

/// The replay does notice: without one of its activities a history is another workflow's.
#[tokio::test]
async fn what_ran_in_another_way_is_noticed() {
    let bytes = fs::read(path("Proofs")).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let other = text.replace("FarmActivities::confirm", "FarmActivities::believe");
    assert_ne!(other, text);
    let history = WorkflowHistory::from_json(other.as_bytes()).unwrap();
    assert!(replayer().replay_workflow(history).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn histories_are_recorded() {
    if std::env::var_os("MUSTER_UPDATE_GOLDEN").is_none() {
        return;
    }
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let _worker = server.worker(&farm, "worker");
    let client = server.client().await;
    let runner = Temporal::new(client.clone(), farm.store.clone(), Labels::Few);
    runner.run(vec![farm.task(1).await, farm.false_task(2).await]).await.unwrap();
    let proofs: Vec<Task> = vec![farm.task(3).await, farm.task(4).await, farm.task(5).await];
    runner.chain(tree(proofs, 2, "")).await.unwrap();
    runner.run(vec![farm.row(1), farm.row(2)]).await.unwrap();
    for flow in FLOWS {
        fs::create_dir_all(path(flow).parent().unwrap()).unwrap();
        fs::write(path(flow), history(&client, flow).await).unwrap();
    }
}

/// The history of the workflow of this type, without what tells of the machine where it ran.
async fn history(client: &Client, flow: &str) -> String {
    let mut found = loop {
        let query = format!("WorkflowType = '{flow}' AND ExecutionStatus = 'Completed'");
        let found =
            client.list_workflows(query, WorkflowListOptions::default()).collect::<Vec<_>>();
        let found = found.await;
        // The server lists workflows a moment after they end.
        if !found.is_empty() {
            break found;
        }
    };
    let id = found.remove(0).unwrap().id().to_owned();
    let handle = client.get_workflow_handle::<UntypedWorkflow>(id);
    let history = handle.fetch_history(WorkflowFetchHistoryOptions::default());
    let mut json: Value = serde_json::from_slice(&history.to_json().await.unwrap()).unwrap();
    hide_machines(&mut json);
    serde_json::to_string_pretty(&json).unwrap() + "\n"
}

/// Processes are called by number and host.
fn hide_machines(json: &mut Value) {
    match json {
        Value::Object(fields) => fields.values_mut().for_each(hide_machines),
        Value::Array(values) => values.iter_mut().for_each(hide_machines),
        Value::String(text) => {
            let is_process = |(number, _): (&str, &str)| number.parse::<u32>().is_ok();
            if text.split_once('@').is_some_and(is_process) {
                *text = "worker".into();
            }
        }
        _ => {}
    }
}
