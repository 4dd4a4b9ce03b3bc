//! Farms at work: real keys, real proofs, and with Temporal's command line at hand a real server.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod commands;
mod door;
mod faults;
mod fixture;
mod histories;
mod local;
mod locked;
mod server;
mod suite;
mod temporal;
mod versions;
mod workshop;
