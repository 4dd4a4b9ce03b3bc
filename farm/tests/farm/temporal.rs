//! The runner with a server, and what only several workers can show.

use std::{fs, time::Duration};

use muster_farm::{
    runner::{Labels, Runner, Temporal},
    work::{Fault, Outcome},
};
use tokio::time::timeout;

use crate::{
    fixture::Farm,
    server::{worker_on_a_full_disk, Server},
    suite,
};

/// Longest that a few proofs may take, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_with_a_server_holds_its_promises() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let _worker = server.worker(&farm, "worker");
    let runner = Temporal::new(server.client().await, farm.store.clone(), Labels::Few);
    timeout(PATIENCE, suite::holds(&farm, &runner, 200)).await.expect("in time");
}

/// Bytes that a dishonest worker left are not published: the job is proven again.
#[tokio::test(flavor = "multi_thread")]
async fn a_dishonest_worker_changes_nothing() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let task = farm.task(1).await;
    farm.store.put_made(&task.job.name(), "{}").await.unwrap();
    let _worker = server.worker(&farm, "worker");
    let runner = Temporal::new(server.client().await, farm.store.clone(), Labels::Few);
    let outcomes = timeout(PATIENCE, runner.run(vec![task.clone()])).await.expect("in time");
    assert_eq!(outcomes.unwrap(), [Outcome::Done]);
    assert!(farm.is_proven(&task.job).await);
    let log = fs::read_to_string(farm.dir.path().join("worker.log")).unwrap();
    assert!(log.contains("a result that does not hold"), "{log}");
}

/// A job whose marks say that it killed four workers is given up, and its neighbours are not.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_kills_its_workers_is_given_up() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let (bad, good) = (farm.task(1).await, farm.task(2).await);
    for _ in 0..4 {
        let _lost = farm.store.start(&bad.job.name()).await.unwrap().unwrap();
    }
    let _worker = server.worker(&farm, "worker");
    let runner = Temporal::new(server.client().await, farm.store.clone(), Labels::Few);
    let run = runner.run(vec![bad, good]);
    let outcomes = timeout(PATIENCE, run).await.expect("in time").unwrap();
    assert!(matches!(outcomes[0], Outcome::Failed(Fault::Dead(_))), "{outcomes:?}");
    assert_eq!(outcomes[1], Outcome::Done);
}

/// A worker that cannot do what others may says so and stops; its jobs go to others and do not count against them.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_with_a_full_disk_stops() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let mut short = worker_on_a_full_disk(&farm, "short", &["--address", &server.address()]);
    let runner = Temporal::new(server.client().await, farm.store.clone(), Labels::Few);
    let task = farm.task(1).await;
    let run = tokio::spawn(async move { runner.run(vec![task]).await });
    let ended = tokio::task::spawn_blocking(move || short.0.wait());
    let status = timeout(PATIENCE, ended).await.expect("in time").unwrap().unwrap();
    let log = fs::read_to_string(farm.dir.path().join("short.log")).unwrap();
    assert_eq!(status.code(), Some(2), "{log}");
    assert!(log.contains("this worker stops: ") && log.contains("File too large"), "{log}");
    let _worker = server.worker(&farm, "worker");
    let outcomes = timeout(PATIENCE, run).await.expect("in time").unwrap();
    assert_eq!(outcomes.unwrap(), [Outcome::Done]);
    assert!(farm.store.overview().await.unwrap().begun.is_empty());
}

/// Rows of a sweep, each on a machine that has nothing else to do, one of which dies at work.
#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_survives_a_worker() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let mut rows = vec![];
    for repeat in 1..=6 {
        rows.push(farm.row(repeat));
    }
    let mut lost = server.worker(&farm, "lost");
    let runner = Temporal::new(server.client().await, farm.store.clone(), Labels::Few);
    let tasks = rows.clone();
    let run = tokio::spawn(async move { runner.run(tasks).await });
    let log = farm.dir.path().join("lost.log");
    let begun = || fs::read_to_string(&log).unwrap().contains("begun");
    while !begun() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    lost.kill();
    let _worker = server.worker(&farm, "worker");
    let outcomes = timeout(PATIENCE, run).await.expect("in time").unwrap();
    assert_eq!(outcomes.unwrap(), vec![Outcome::Done; rows.len()]);
    for row in rows {
        let bytes = farm.store.result(&row.job.name()).await.unwrap().unwrap();
        let found: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert!(found["measured"]["prove_s"].as_f64().unwrap() > 0.0);
        assert!(found["machine"]["kernel"].is_string());
    }
}

/// What the metrics' page has, by the names that rules and boards use.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_tells_of_itself() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let _worker = server.worker_with(&farm, "worker", &["--metrics", &address]);
    let runner = Temporal::new(server.client().await, farm.store.clone(), Labels::Few);
    let tasks = vec![farm.task(1).await, farm.false_task(2).await];
    timeout(PATIENCE, runner.run(tasks)).await.expect("in time").unwrap();
    let page = page(&address).await;
    for line in [
        "muster_jobs_total{kind=\"prove\",outcome=\"made\"} 1",
        "muster_jobs_total{kind=\"prove\",outcome=\"rejected\"} 1",
        "muster_jobs_total{kind=\"prove\",outcome=\"confirmed\"} 1",
        "muster_cache_total{result=\"miss\"} 4",
        "muster_cache_total{result=\"hit\"} 2",
        "muster_phase_seconds_count{kind=\"prove\",phase=\"proving\"} 2",
        "muster_phase_seconds_bucket{kind=\"prove\",phase=\"verifying\",le=\"0.005\"}",
        "muster_memory_predicted_bytes ",
        "muster_memory_used_bytes ",
    ] {
        let same = |found: &str| {
            // Labels come in any order.
            let parts = |text: &str| -> Vec<String> {
                let mut parts: Vec<_> = text.split(['{', ',', '}']).map(str::to_owned).collect();
                parts.sort();
                parts
            };
            parts(line).iter().all(|part| found.contains(part.as_str()))
        };
        let ours: Vec<_> = page.lines().filter(|line| line.starts_with("muster_")).collect();
        assert!(page.lines().any(same), "{line}: {ours:#?}");
    }
    for name in muster_farm::metrics::NAMES {
        assert!(page.contains(&format!("# TYPE {name} ")), "{name}: {page}");
    }
    // Rules and boards use nothing else.
    for file in ["alerts.yml", "board.json"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ops").join(file);
        let text = fs::read_to_string(path).unwrap();
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        for word in
            words.filter(|word| word.starts_with("muster_") || word.starts_with("temporal_"))
        {
            let stem = ["_bucket", "_count", "_sum"].iter().find_map(|end| word.strip_suffix(end));
            let known = page.contains(&format!("# TYPE {} ", stem.unwrap_or(word)));
            // One that the SDK shows after the first failure.
            let is_late = word == "temporal_workflow_task_execution_failed_total";
            assert!(known || is_late || word == "muster_farm", "{file}: {word}");
        }
    }
}

/// A page, by the simplest of requests.
async fn page(address: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = "GET /metrics HTTP/1.1\r\nHost: farm\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).await.unwrap();
    page
}
