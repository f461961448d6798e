//! The book as one file, on the small page of an e-reader.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use tempfile::TempDir;
use zip::ZipArchive;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::links::files_of;
use crate::page::{misfits, reported};
use crate::serve::Site;
use crate::view::View;

/// A small page. It is turned: nothing scrolls on it, and no script runs.
const READER: View = View::sized(360, 560).scriptless();

/// A volume that was opened, as files.
#[derive(Debug)]
pub struct Volume {
    /// Where its documents lie.
    pub site: Site,
    /// Its documents.
    pub documents: Vec<String>,
    _files: TempDir,
}

impl Volume {
    /// Opens an EPUB.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(file: &Path) -> Result<Self> {
        let what = || file.display().to_string();
        let folder = tempfile::tempdir()?;
        let archive = File::open(file).with_context(what)?;
        ZipArchive::new(archive)
            .and_then(|mut zip| zip.extract(folder.path()))
            .with_context(what)?;
        let files = files_of(folder.path())?;
        let documents = files.into_iter().filter(|file| file.ends_with(".xhtml")).collect();
        Ok(Self { site: Site::disk(folder.path())?, documents, _files: folder })
    }
}

/// The faults of one document of a volume: what a page would cut off.
pub async fn check_document(browser: &Browser, site: &Site, document: &str) -> Vec<Fault> {
    on_tab(browser, READER, &format!("{document} of the volume"), async |tab, found| {
        tab.load(&site.address(document)).await?;
        found.extend(reported(&tab.happened().await?, site));
        found.extend(misfits(tab, false).await?);
        let tall: Vec<String> = tab.call(include_str!("probes/tall.js"), ()).await?;
        found.extend(tall.iter().map(|what| format!("no page holds the picture: {what}")));
        Ok(())
    })
    .await
}
