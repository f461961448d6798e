use std::fs;
use std::path::Path;

use anyhow::{anyhow, Context, Result};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderValue, StatusCode};
use axum::Router;
use regex::Regex;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower_http::services::{ServeDir, ServeFile};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::set_status::SetStatus;
use url::Url;

/// Where the site is served: below a path, as a project's page on a host would be.
const BASE: &str = "/below/a/path/";

/// A built site as a browser reaches it.
#[derive(Debug)]
pub struct Site {
    /// What the addresses inside start with; another start is another host.
    pub(crate) origin: String,
    base: String,
    server: Option<JoinHandle<()>>,
}

impl Site {
    /// Serves a folder on this machine only, as GitHub Pages would: below a path, and with the
    /// book's own page for what is not there. Nothing is kept by the browser.
    ///
    /// # Errors
    ///
    /// If no port is to be had.
    pub async fn serve(folder: &Path) -> Result<Self> {
        Self::serve_below(folder, BASE).await
    }

    /// Serves a folder below the one path for which its page for lost addresses was made.
    ///
    /// # Errors
    ///
    /// If the folder has no such page, or no port is to be had.
    pub async fn serve_as_built(folder: &Path) -> Result<Self> {
        Self::serve_below(folder, &root_of(folder)?).await
    }

    async fn serve_below(folder: &Path, base: &str) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.context("no port for the site")?;
        let origin = format!("http://{}", listener.local_addr()?);
        let lost = ServeFile::new(folder.join("404.html"));
        let lost = SetStatus::new(lost, StatusCode::NOT_FOUND);
        let files = ServeDir::new(folder).not_found_service(lost.clone());
        let routes = match base.trim_end_matches('/') {
            "" => Router::new().fallback_service(files),
            below => Router::new().nest_service(below, files).fallback_service(lost),
        };
        let fresh = HeaderValue::from_static("no-store");
        let routes = routes.layer(SetResponseHeaderLayer::overriding(CACHE_CONTROL, fresh));
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, routes).await {
                eprintln!("the site is not served any more: {error}");
            }
        });
        Ok(Self { origin, base: base.to_string(), server: Some(server) })
    }

    /// A folder as a reader finds it on a disk, without a server.
    ///
    /// # Errors
    ///
    /// If there is no such folder.
    pub fn disk(folder: &Path) -> Result<Self> {
        let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
        let root = Url::from_directory_path(&folder).map_err(|()| anyhow!("a relative folder"))?;
        Ok(Self { origin: root.to_string(), base: String::new(), server: None })
    }

    /// The address of a page.
    pub fn address(&self, page: &str) -> String {
        format!("{}{}{page}", self.origin, self.base)
    }

    /// Whether an address asks another host for something.
    pub(crate) fn is_outside(&self, address: &str) -> bool {
        let asks = ["http:", "https:", "ws:", "wss:"].iter().any(|way| address.starts_with(way));
        asks && !address.starts_with(&self.origin)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}

/// The path that a site's page for lost addresses takes for its root.
pub(crate) fn root_of(folder: &Path) -> Result<String> {
    let page = folder.join("404.html");
    let html = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
    let root = Regex::new(r#"const path_to_root = "([^"]*)""#)?;
    let found = root.captures(&html).context("404.html does not say where it stands")?;
    Ok(found[1].to_string())
}
