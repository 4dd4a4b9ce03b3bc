//! The runner without a server.

use muster_farm::runner::Local;

use crate::{fixture::Farm, suite};

#[tokio::test]
async fn a_local_runner_holds_its_promises() {
    let farm = Farm::new().await;
    suite::holds(&farm, &Local::new(farm.workshop(), 2), 100).await;
}
