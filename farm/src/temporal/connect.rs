//! The way to a server.

use std::path::PathBuf;

use temporalio_client::{
    envconfig::LoadClientConfigProfileOptions, Client, ClientOptions, Connection,
};
use url::Url;

use super::{CodecKey, Sealed};
use crate::Error;

/// Which server.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Server {
    /// Temporal's server (default: as the environment and the profile say that all of Temporal's tools read, or this
    /// machine's at port 7233).
    #[arg(long, value_name = "HOST:PORT", global = true)]
    pub address: Option<String>,
    /// Namespace on the server (default: as above, or `default`).
    #[arg(long, value_name = "NAME", global = true)]
    pub namespace: Option<String>,
    /// File with the key that everything is encrypted with on its way through the server: 32 bytes in hex. All who take part
    /// have the same.
    #[arg(long, value_name = "FILE", env = "MUSTER_FARM_CODEC_KEY", global = true)]
    pub codec_key: Option<PathBuf>,
}

/// A connection to a server.
///
/// # Errors
///
/// [`Error::Usage`] for what is no address, [`Error::Engine`] if nobody answers.
pub async fn connect(server: &Server) -> Result<Client, Error> {
    let engine = |error: &dyn std::fmt::Display| Error::Engine(error.to_string());
    let found = ClientOptions::load_from_config(LoadClientConfigProfileOptions::default());
    let (mut connection, mut client) = found.map_err(|error| engine(&error))?;
    if let Some(address) = &server.address {
        let target = Url::parse(&format!("http://{address}"));
        connection.target = target.map_err(|error| Error::Usage(format!("--address: {error}")))?;
    }
    if let Some(namespace) = &server.namespace {
        client.namespace = namespace.clone();
    }
    if let Some(path) = &server.codec_key {
        client.data_converter = Sealed::new(CodecKey::read(path)?).converter();
    }
    let connection = Connection::connect(connection).await.map_err(|error| engine(&error))?;
    Client::new(connection, client).map_err(|error| engine(&error))
}
