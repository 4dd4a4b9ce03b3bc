//! A relayer that anybody can run: it follows a network and brings to its light client on another chain whatever that
//! takes. It may be killed at any moment and started again.

mod chain;
mod cometbft;
mod config;
mod ethereum;
mod fault;
mod follow;
mod programs;
mod send;
mod source;
mod step;
mod wormhole;

#[cfg(test)]
mod tests;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, ValueEnum};

use crate::{
    cometbft::{CometBft, Watch},
    config::Config,
    ethereum::Ethereum,
    fault::Fault,
    step::Follower,
    wormhole::Wormhole,
};

/// Follow a network for its light client on another chain.
#[derive(Debug, Parser)]
#[command(after_help = "The configuration is described in the README of the example.")]
struct Args {
    /// The network that is followed.
    #[arg(value_enum)]
    network: Network,
    /// File with the configuration.
    config: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Network {
    /// Guardian sets, and VAAs from a folder.
    Wormhole,
    /// Headers of a chain, by the RPC of one of its nodes, and what its application committed to.
    Cometbft,
    /// The same chain, by several nodes: whether they have other headers than the client. If validators signed two chains, the
    /// client is frozen.
    CometbftWatch,
    /// Sync committees and final blocks, by the API of a beacon node.
    Ethereum,
}

fn main() -> ExitCode {
    let Args { network, config } = Args::parse();
    let ended = Config::read(&config).and_then(|config| {
        let mut follower: Box<dyn Follower> = match network {
            Network::Wormhole => Box::new(Wormhole::new(&config)?),
            Network::Cometbft => Box::new(CometBft::new(&config)?),
            Network::CometbftWatch => Box::new(Watch::new(&config)?),
            Network::Ethereum => Box::new(Ethereum::new(&config)?),
        };
        follow::run(follower.as_mut(), &config)
    });
    match ended {
        Ok(never) => match never {},
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::from(if matches!(fault, Fault::Config(_)) { 2 } else { 1 })
        }
    }
}
