//! A door before the server: it can be shut, and may let in only those with a certificate.

use std::sync::Arc;

use tokio::{
    io::{copy_bidirectional, AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};
use tokio_rustls::{rustls::ServerConfig, TlsAcceptor};

/// Whoever comes to it is brought to the server as long as it is open.
pub(crate) struct Door {
    port: u16,
    is_open: watch::Sender<bool>,
    keeper: JoinHandle<()>,
}

impl Door {
    /// A door before what listens at this address.
    pub(crate) async fn new(server: String, tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (is_open, seen) = watch::channel(true);
        let tls = tls.map(TlsAcceptor::from);
        let keeper = tokio::spawn(async move {
            while let Ok((guest, _)) = listener.accept().await {
                if *seen.borrow() {
                    tokio::spawn(lead(guest, server.clone(), tls.clone(), seen.clone()));
                }
            }
        });
        Self { port, is_open, keeper }
    }

    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Ends all connections, and takes no new ones.
    pub(crate) fn shut(&self) {
        self.is_open.send_replace(false);
    }

    pub(crate) fn open(&self) {
        self.is_open.send_replace(true);
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

async fn lead(
    guest: TcpStream,
    server: String,
    tls: Option<TlsAcceptor>,
    seen: watch::Receiver<bool>,
) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    match tls {
        None => join(guest, server, seen).await,
        Some(tls) => {
            if let Ok(guest) = tls.accept(guest).await {
                join(guest, server, seen).await;
            }
        }
    }
}

async fn join(
    mut guest: impl AsyncRead + AsyncWrite + Unpin,
    mut server: TcpStream,
    mut seen: watch::Receiver<bool>,
) {
    tokio::select! {
        _ = copy_bidirectional(&mut guest, &mut server) => {}
        _ = seen.wait_for(|is_open| !is_open) => {}
    }
}
