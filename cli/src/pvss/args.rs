//! What the steps have in common on the command line: the file to write, and the table for logarithms.

use std::path::{Path, PathBuf};

use muster_prover::{
    input,
    output::{write_file, Output, Secret},
};
use muster_schemes::decimal;
use muster_threshold::pvss::dlog::{Search, Table};

use crate::{
    files::pvss::{fault, BINARY_LIMIT},
    progress::Progress,
    spool::needs_file,
    Error,
};

/// One file to write.
#[derive(Debug, clap::Args)]
pub(crate) struct OutArgs {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Replace it if it exists.
    #[arg(long)]
    force: bool,
}

impl OutArgs {
    /// Writes a file for everybody.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        Ok(write_file(&self.out, bytes, self.force)?)
    }

    /// Writes a file for everybody, and another one with it: neither, if one of them may not be written.
    pub(crate) fn write_both(
        &self,
        bytes: &[u8],
        (path, beside): (&Path, &[u8]),
    ) -> Result<(), Error> {
        use std::io::Write;
        let (mut first, first_name) = Output::single(path, self.force)?;
        let (mut second, second_name) = Output::single(&self.out, self.force)?;
        first.write(&first_name, |file| file.write_all(beside))?;
        second.write(&second_name, |file| file.write_all(bytes))?;
        first.commit()?;
        Ok(second.commit()?)
    }

    /// Writes a file for its owner, with a secret of this kind.
    pub(crate) fn write_secret(&self, secret: Secret, bytes: &[u8]) -> Result<(), Error> {
        use std::io::Write;
        let (mut output, name) = Output::single_secret(&self.out, secret, self.force)?;
        output.write_secret(&name, |file| file.write_all(bytes))?;
        Ok(output.commit()?)
    }
}

/// The table for logarithms.
#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    /// log₂ of the number of entries in the table, 8 bytes each. More entries make decryption
    /// faster.
    #[arg(long, value_name = "BITS", default_value_t = 20,
          value_parser = decimal::within::<u32>(4..=26))]
    table_bits: u32,
    /// File that keeps the table; created if it does not exist.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

impl TableArgs {
    /// The table, from its file or made.
    pub(crate) fn open(&self) -> Result<Search, Error> {
        if let Some(path) = &self.table {
            needs_file(path, "it keeps the table")?;
        }
        if let Some(path) = self.table.as_ref().filter(|path| path.is_file()) {
            let bytes = input::read(path, BINARY_LIMIT)?;
            let table = Table::from_bytes(&bytes).map_err(fault(path))?;
            return Ok(Search::new(table));
        }
        let make = || Table::new(self.table_bits);
        let table = Progress::new().run("making the table of logarithms", make);
        let table = table.map_err(|found| Error::usage(format!("--table-bits: {found}")))?;
        if let Some(path) = &self.table {
            write_file(path, &table.to_bytes(), false)?;
        }
        Ok(Search::new(table))
    }
}
