//! The connection to a server.

use temporalio_client::{Client, ClientOptions, Connection};
use temporalio_common::envconfig::{load_client_config_profile, LoadClientConfigProfileOptions};
use url::Url;

use super::codec::Codec;
use crate::{seal::Seal, Error};

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
}

impl Server {
    /// Whether a server was chosen: here, in the environment, or in the profile that it names.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a profile that is malformed.
    pub fn is_named(&self) -> Result<bool, Error> {
        let loaded = load_client_config_profile(LoadClientConfigProfileOptions::default(), None);
        let profile = loaded.map_err(|error| Error::Usage(format!("the profile: {error}")))?;
        Ok(self.address.is_some() || profile.address.is_some())
    }
}

/// A connection to a server that cannot read what goes through it, if there is a key.
///
/// # Errors
///
/// [`Error::Usage`] for an invalid address, [`Error::Engine`] if nobody answers.
pub async fn connect(server: &Server, seal: Option<Seal>) -> Result<Client, Error> {
    let found = ClientOptions::load_from_config(LoadClientConfigProfileOptions::default());
    let (mut connection, mut client) = found.map_err(Error::engine)?;
    if let Some(address) = &server.address {
        // Certificates that the environment names are used for this address, too.
        let scheme = if connection.tls_options.is_some() { "https" } else { "http" };
        let target = Url::parse(&format!("{scheme}://{address}"));
        connection.target = target.map_err(|error| Error::Usage(format!("--address: {error}")))?;
    }
    if let Some(namespace) = &server.namespace {
        client.namespace = namespace.clone();
    }
    if let Some(seal) = seal {
        client.data_converter = Codec::new(seal, client.namespace.clone()).converter();
    }
    let connection = Connection::connect(connection).await.map_err(Error::engine)?;
    Client::new(connection, client).map_err(Error::engine)
}
