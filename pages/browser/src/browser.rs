use std::env;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{anyhow, Context, Result};
use chromiumoxide::browser::BrowserConfig;
use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::target::CreateBrowserContextParams;
use chromiumoxide::error::CdpError;
use futures::StreamExt;
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::fault::{faults_at, Fault};
use crate::tab::{empty_page, Tab, RELIED_ON};
use crate::view::View;

/// What Chromium is called, in the order of preference.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What the pages are laid out and drawn with: the same everywhere, and nothing that looks for the
/// network. A name of a host leads nowhere, so that a request that leaves the site fails.
const ARGUMENTS: [(&str, &str); 5] = [
    ("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
    ("font-render-hinting", "none"),
    (
        "blink-settings",
        "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    ),
    ("disable-field-trial-config", ""),
    ("disable-component-update", ""),
];

/// How long the browser may take to start.
const START: Duration = Duration::from_secs(60);

/// A headless browser with a profile of its own.
#[derive(Debug)]
pub struct Browser {
    pub(crate) inner: chromiumoxide::Browser,
    reader: JoinHandle<()>,
    misread: Arc<Mutex<Vec<String>>>,
    pub(crate) patience: Duration,
    windows: Mutex<Vec<BrowserContextId>>,
    _profile: TempDir,
}

impl Browser {
    /// Starts Chromium: the one that the variable CHROMIUM names, else one from the path. What a
    /// page does not do within `patience`, it does not do.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not start.
    pub async fn launch(patience: Duration) -> Result<Self> {
        let profile = tempfile::Builder::new().prefix("pages-").tempdir()?;
        let mut config = BrowserConfig::builder()
            .chrome_executable(executable()?)
            .new_headless_mode()
            // In a container there is only root, and Chromium has no sandbox for root.
            .no_sandbox()
            .user_data_dir(profile.path())
            .viewport(None)
            // Each page loads what it needs anew; what a cache has cannot be held up.
            .disable_cache()
            .launch_timeout(START)
            // What the browser says and nobody understands may be the fault that is looked for.
            .surface_invalid_messages();
        for (name, value) in ARGUMENTS {
            config = match value {
                "" => config.arg(name),
                value => config.arg((name, value)),
            };
        }
        let config =
            config.args(["disable-gpu", "disable-quic"]).build().map_err(|e| anyhow!(e))?;
        let started = chromiumoxide::Browser::launch(config).await;
        let (inner, mut messages) = started.context("Chromium does not start")?;
        let misread = Arc::new(Mutex::new(Vec::new()));
        let reader = tokio::spawn({
            let misread = Arc::clone(&misread);
            async move {
                while let Some(message) = messages.next().await {
                    if let Err(CdpError::InvalidMessage(text, error)) = message {
                        let mut misread = misread.lock().unwrap_or_else(PoisonError::into_inner);
                        misread.extend(missed(&text).map(|event| format!("{event}: {error}")));
                    }
                }
            }
        });
        Ok(Self { inner, reader, misread, patience, windows: Mutex::default(), _profile: profile })
    }

    /// An empty tab that shares nothing with any other, in a window of its own.
    pub(crate) async fn open(&self, view: View) -> Result<Tab<'_>> {
        Tab::open(self, view).await
    }

    /// A window that no tab is in. An empty tab keeps it open: to open one is what takes time.
    pub(crate) async fn window(&self) -> Result<BrowserContextId> {
        let free = self.windows.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(window) = free {
            return Ok(window);
        }
        let own = CreateBrowserContextParams::builder().dispose_on_detach(true).build();
        let window = self.inner.create_browser_context(own).await?;
        empty_page(&self.inner, &window).await?;
        Ok(window)
    }

    /// Keeps a window for the next tab.
    pub(crate) fn give_back(&self, window: BrowserContextId) {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner).push(window);
    }

    /// What the browser said and nobody understood: its version and this crate's do not fit.
    pub fn misread(&self) -> Vec<Fault> {
        let misread = self.misread.lock().unwrap_or_else(PoisonError::into_inner);
        faults_at("messages of the browser", misread.clone(), Ok(()))
    }

    /// Ends the browser.
    ///
    /// # Errors
    ///
    /// If it does not end.
    pub async fn close(mut self) -> Result<()> {
        self.inner.close().await?;
        self.inner.wait().await?;
        self.reader.await?;
        Ok(())
    }
}

/// The event that a message tells and nobody read, if a check relies on it.
fn missed(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    let event = message["method"].as_str()?;
    RELIED_ON.contains(&event).then(|| event.to_string())
}

/// The browser to start.
fn executable() -> Result<PathBuf> {
    let named = env::var("CHROMIUM").ok();
    let names = named.iter().map(String::as_str).chain(NAMES);
    let found = names.into_iter().find_map(|name| which::which(name).ok());
    found.context("no Chromium found; name one in the variable CHROMIUM")
}

/// Opens a tab, lets a check collect what is wrong, and closes it.
pub(crate) async fn on_tab(
    browser: &Browser,
    view: View,
    place: &str,
    check: impl AsyncFnOnce(&mut Tab<'_>, &mut Vec<String>) -> Result<()>,
) -> Vec<Fault> {
    let mut found = Vec::new();
    let outcome = match browser.open(view).await {
        Ok(mut tab) => {
            let outcome = check(&mut tab, &mut found).await;
            outcome.and(tab.close().await)
        }
        Err(error) => Err(error),
    };
    faults_at(place, found, outcome)
}

#[cfg(test)]
mod tests {
    use super::missed;

    #[test]
    fn a_message_that_a_check_needs_and_nobody_read_is_told() {
        let message = |event: &str| missed(&format!(r#"{{"method":"{event}","params":{{}}}}"#));
        assert_eq!(message("Network.loadingFailed"), Some("Network.loadingFailed".to_string()));
        assert_eq!(message("Network.requestWillBeSentExtraInfo"), None);
        assert_eq!(missed(r#"{"id":1,"result":{}}"#), None);
        assert_eq!(missed("no JSON"), None);
    }
}
