use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail, Context, Result};
use base64::prelude::{Engine, BASE64_STANDARD};
use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetDeviceMetricsOverrideParams, SetEmulatedMediaParams,
    SetFocusEmulationEnabledParams, SetScriptExecutionDisabledParams,
    SetTouchEmulationEnabledParams,
};
use chromiumoxide::cdp::browser_protocol::fetch::{
    ContinueRequestParams, EnableParams, EventRequestPaused, FailRequestParams,
    FulfillRequestParams, RequestPattern,
};
use chromiumoxide::cdp::browser_protocol::input::{
    DispatchKeyEventParams, DispatchKeyEventType, DispatchMouseEventParams, DispatchMouseEventType,
    DispatchTouchEventParams, DispatchTouchEventReturns, DispatchTouchEventType, InsertTextParams,
    MouseButton, TouchPoint,
};
use chromiumoxide::cdp::browser_protocol::log::{EventEntryAdded, LogEntryLevel};
use chromiumoxide::cdp::browser_protocol::network::{
    ErrorReason, EventDataReceived, EventLoadingFailed, EventRequestWillBeSent,
    EventResponseReceived, ResourceType,
};
use chromiumoxide::cdp::browser_protocol::page::{
    AddScriptToEvaluateOnNewDocumentParams, BringToFrontParams, CaptureScreenshotFormat,
    CaptureScreenshotParams, EventLifecycleEvent, PrintToPdfParams, Viewport,
};
use chromiumoxide::cdp::browser_protocol::storage::ClearDataForOriginParams;
use chromiumoxide::cdp::browser_protocol::target::CreateTargetParams;
use chromiumoxide::cdp::js_protocol::runtime::{
    ConsoleApiCalledType, EvaluateParams, EventConsoleApiCalled, EventExceptionThrown,
    ExceptionDetails, RemoteObject,
};
use chromiumoxide::cdp::IntoEventKind;
use chromiumoxide::keys::get_key_definition;
use chromiumoxide::types::{Command, Method, MethodId};
use chromiumoxide::Page;
use futures::future::FutureExt;
use futures::stream::{select_all, BoxStream, SelectAll};
use futures::StreamExt;
use serde::de::DeserializeOwned;
use serde::Serialize;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout, Instant};

use url::Url;

use crate::browser::Browser;
use crate::view::View;

/// How long a page may load more and more.
const ENDS: Duration = Duration::from_secs(30);

/// How long a wait pauses before it looks again.
const PAUSE: Duration = Duration::from_millis(20);

/// Takes all fingers away. The crate's own type leaves an empty list of points out, which the
/// browser refuses.
#[derive(Debug, Serialize)]
struct EndTouch {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "touchPoints")]
    points: [TouchPoint; 0],
}

impl Method for EndTouch {
    fn identifier(&self) -> MethodId {
        DispatchTouchEventParams::IDENTIFIER.into()
    }
}

impl Command for EndTouch {
    type Response = DispatchTouchEventReturns;
}

/// Something that happened in a tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// An error on the console.
    Console(String),
    /// An exception that nobody caught.
    Exception(String),
    /// A request for an address.
    Request(String),
    /// The first bytes of an answer.
    Response { address: String, status: i64 },
    /// A part of an answer's body.
    Data { address: String, bytes: i64 },
    /// A request without an answer.
    Failed { address: String, why: String },
}

/// The events that checks rely on, as the protocol calls them.
pub(crate) const RELIED_ON: [&str; 9] = [
    EventConsoleApiCalled::IDENTIFIER,
    EventEntryAdded::IDENTIFIER,
    EventExceptionThrown::IDENTIFIER,
    EventRequestWillBeSent::IDENTIFIER,
    EventResponseReceived::IDENTIFIER,
    EventDataReceived::IDENTIFIER,
    EventLoadingFailed::IDENTIFIER,
    EventLifecycleEvent::IDENTIFIER,
    EventRequestPaused::IDENTIFIER,
];

/// The events of the protocol that are kept.
enum Raw {
    Console(Arc<EventConsoleApiCalled>),
    Log(Arc<EventEntryAdded>),
    Exception(Arc<EventExceptionThrown>),
    Request(Arc<EventRequestWillBeSent>),
    Response(Arc<EventResponseReceived>),
    Data(Arc<EventDataReceived>),
    Failed(Arc<EventLoadingFailed>),
}

/// What a tab does with requests instead of sending them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instead {
    /// Sends them when the gate is open, as it is at first.
    Later,
    /// Fails them.
    Refuse,
    /// Answers with nothing, so that the page stays.
    Nothing,
}

/// What happened to requests that were held up.
#[derive(Debug)]
pub(crate) struct Held {
    /// Whether the page was to be left.
    pub(crate) navigated: AtomicBool,
    gate: watch::Sender<bool>,
}

impl Held {
    /// Shuts the gate: requests wait.
    pub(crate) fn shut(&self) {
        self.gate.send_replace(false);
    }

    /// Opens the gate for those that wait and those that come.
    pub(crate) fn open(&self) {
        self.gate.send_replace(true);
    }
}

/// A rectangle of a page, from the page's upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, serde::Deserialize)]
pub(crate) struct Clip {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// One page, which remembers nothing of those before it.
pub struct Tab<'a> {
    browser: &'a Browser,
    window: BrowserContextId,
    page: Page,
    raw: SelectAll<BoxStream<'static, Raw>>,
    addresses: HashMap<String, String>,
    pointer: (f64, f64),
    view: View,
    fresh: bool,
    holding: Option<JoinHandle<()>>,
}

/// The expression for the first element that a selector finds.
pub(crate) fn first(selector: &str) -> String {
    format!("document.querySelector({})", quoted(selector))
}

/// A text as JavaScript and JSON write it.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl<'a> Tab<'a> {
    pub(crate) async fn open(browser: &'a Browser, view: View) -> Result<Self> {
        let inner = &browser.inner;
        let window = browser.window().await?;
        let page = empty_page(inner, &window).await?;
        let raw = select_all([
            events(&page, Raw::Console).await?,
            events(&page, Raw::Log).await?,
            events(&page, Raw::Exception).await?,
            events(&page, Raw::Request).await?,
            events(&page, Raw::Response).await?,
            events(&page, Raw::Data).await?,
            events(&page, Raw::Failed).await?,
        ]);
        let addresses = HashMap::new();
        let pointer = (0.0, 0.0);
        let (fresh, holding) = (true, None);
        let tab = Self { browser, window, page, raw, addresses, pointer, view, fresh, holding };
        tab.show_as(view).await?;
        Ok(tab)
    }

    async fn show_as(&self, view: View) -> Result<()> {
        // What is behind another tab is not drawn.
        self.send(BringToFrontParams::default()).await?;
        let View { width, height, touch, .. } = view;
        self.send(SetDeviceMetricsOverrideParams::new(width, height, 1.0, touch)).await?;
        // Each of several tabs is the one that has the focus.
        self.send(SetFocusEmulationEnabledParams::new(true)).await?;
        self.emulate(view).await?;
        if touch {
            self.send(SetTouchEmulationEnabledParams::new(true)).await?;
        }
        if !view.scripted {
            self.send(SetScriptExecutionDisabledParams::new(true)).await?;
        }
        // Nobody is there to answer a dialog.
        self.send(AddScriptToEvaluateOnNewDocumentParams::new("window.print = () => {}")).await?;
        if let Some(theme) = view.theme {
            let remember = format!("localStorage.setItem(\"mdbook-theme\", {})", quoted(theme));
            self.send(AddScriptToEvaluateOnNewDocumentParams::new(remember)).await?;
        }
        if view.still {
            let clock = include_str!("probes/clock.js");
            self.send(AddScriptToEvaluateOnNewDocumentParams::new(clock)).await?;
        }
        Ok(())
    }

    /// Takes over what a view says of media.
    pub(crate) async fn emulate(&self, view: View) -> Result<()> {
        let scheme = if view.dark { "dark" } else { "light" };
        let motion = if view.calm { "reduce" } else { "no-preference" };
        let media = SetEmulatedMediaParams::builder()
            .media(if view.print { "print" } else { "screen" })
            .feature(MediaFeature::new("prefers-color-scheme", scheme))
            .feature(MediaFeature::new("prefers-reduced-motion", motion))
            .feature(MediaFeature::new("forced-colors", "none"))
            .build();
        self.send(media).await
    }

    /// How long one waits for what a page does.
    pub(crate) fn patience(&self) -> Duration {
        self.browser.patience
    }

    /// How the tab looks at pages.
    pub(crate) fn view(&self) -> View {
        self.view
    }

    pub(crate) async fn close(self) -> Result<()> {
        if let Some(holding) = &self.holding {
            holding.abort();
        }
        self.page.clone().close().await?;
        self.browser.give_back(self.window);
        Ok(())
    }

    async fn send(&self, command: impl Command) -> Result<()> {
        self.page.execute(command).await?;
        Ok(())
    }

    /// A command of the protocol, and its answer.
    pub(crate) async fn ask<C: Command>(&self, command: C) -> Result<C::Response> {
        Ok(self.page.execute(command).await?.result)
    }

    /// Loads a page, with all that belongs to it.
    pub(crate) async fn load(&mut self, address: &str) -> Result<()> {
        if std::mem::take(&mut self.fresh) {
            // What other tabs left in the same window.
            let origin = Url::parse(address)?.origin().ascii_serialization();
            self.send(ClearDataForOriginParams::new(origin, "local_storage")).await?;
        }
        self.page.goto(address).await.with_context(|| format!("{address} does not load"))?;
        Ok(())
    }

    /// Loads a page and waits until nothing more comes.
    pub(crate) async fn load_all(&mut self, address: &str) -> Result<()> {
        let mut told = self.page.event_listener::<EventLifecycleEvent>().await?;
        self.load(address).await?;
        let idle = async {
            // The empty page that was there before is idle, too, and says so late.
            let mut started = false;
            while let Some(event) = told.next().await {
                started |= event.name == "init";
                if started && event.name == "networkIdle" {
                    return;
                }
            }
        };
        timeout(ENDS, idle).await.with_context(|| format!("{address} never ends to load"))
    }

    /// What a function returns in the page.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        function: &str,
        argument: impl Serialize,
    ) -> Result<T> {
        self.value(&format!("({function})({})", serde_json::to_string(&argument)?)).await
    }

    /// What an expression is in the page, awaited.
    pub(crate) async fn value<T: DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let evaluate = EvaluateParams::builder()
            .expression(expression)
            .await_promise(true)
            .return_by_value(true)
            .build()
            .map_err(|error| anyhow!(error))?;
        let outcome = self.ask(evaluate).await?;
        if let Some(details) = outcome.exception_details {
            bail!("{}", told(&details));
        }
        Ok(serde_json::from_value(outcome.result.value.unwrap_or_default())?)
    }

    /// Runs a statement in the page.
    pub(crate) async fn run(&self, statement: &str) -> Result<()> {
        self.value(&format!("(() => {{ {statement} }})()")).await
    }

    /// Unfolds all that is folded.
    pub(crate) async fn unfold(&self) -> Result<()> {
        self.run("document.querySelectorAll('details').forEach((fold) => (fold.open = true))").await
    }

    /// Whether an expression becomes true while one may wait for it.
    pub(crate) async fn comes(&self, expression: &str) -> bool {
        self.comes_within(expression, self.patience()).await
    }

    /// Whether an expression becomes true within a time. While a page gives way to
    /// another, there is nothing to ask.
    pub(crate) async fn comes_within(&self, expression: &str, time: Duration) -> bool {
        let end = Instant::now() + time;
        loop {
            if self.value(&format!("Boolean({expression})")).await.unwrap_or(false) {
                return true;
            }
            if Instant::now() > end {
                return false;
            }
            sleep(PAUSE).await;
        }
    }

    /// Waits until an expression is true.
    pub(crate) async fn wait_for(&self, expression: &str) -> Result<()> {
        match self.comes(expression).await {
            true => Ok(()),
            false => bail!("waited in vain for {expression}"),
        }
    }

    /// Waits until the address is one that `fits`.
    pub(crate) async fn wait_for_address(&self, fits: impl Fn(&str) -> bool) -> Result<String> {
        let end = Instant::now() + self.patience();
        loop {
            let address = self.address().await.unwrap_or_default();
            if fits(&address) {
                return Ok(address);
            }
            if Instant::now() > end {
                bail!("waited in vain for another address than {address}");
            }
            sleep(PAUSE).await;
        }
    }

    /// The address of the page.
    pub(crate) async fn address(&self) -> Result<String> {
        self.value("location.href").await
    }

    /// Presses a key: its name, or `Shift+` and its name.
    pub(crate) async fn press(&self, key: &str) -> Result<()> {
        let (shift, name) = match key.strip_prefix("Shift+") {
            Some(name) => (8, name),
            None => (0, key),
        };
        let name = if name == "Space" { " " } else { name };
        let known = get_key_definition(name).with_context(|| format!("no key {key}"))?;
        let letter = (name.chars().count() == 1).then_some(name);
        let text = known.text.or(letter);
        let event = DispatchKeyEventParams::builder()
            .modifiers(shift)
            .key(known.key)
            .code(known.code)
            .windows_virtual_key_code(known.key_code);
        let down = match text {
            Some(text) => event.clone().r#type(DispatchKeyEventType::KeyDown).text(text),
            None => event.clone().r#type(DispatchKeyEventType::RawKeyDown),
        };
        for event in [down, event.r#type(DispatchKeyEventType::KeyUp)] {
            self.send(event.build().map_err(|error| anyhow!(error))?).await?;
        }
        Ok(())
    }

    /// Types a text, key by key.
    pub(crate) async fn type_text(&self, text: &str) -> Result<()> {
        for letter in text.chars() {
            self.press(&letter.to_string()).await?;
        }
        Ok(())
    }

    /// Fills a field with a text, as if it were pasted.
    pub(crate) async fn fill(&self, field: &str, text: &str) -> Result<()> {
        self.wait_for(&format!("{field}?.checkVisibility()")).await?;
        self.run(&format!("const field = {field}; field.focus(); field.select()")).await?;
        self.send(InsertTextParams::new(text)).await
    }

    /// Gives the focus to an element.
    pub(crate) async fn focus(&self, element: &str) -> Result<()> {
        self.wait_for(element).await?;
        self.run(&format!("{element}.focus()")).await
    }

    /// Where a pointer meets an element, once it stands still and nothing covers it.
    async fn point(&self, element: &str, forced: bool) -> Result<(f64, f64)> {
        let probe = include_str!("probes/point.js");
        let end = Instant::now() + self.patience();
        let mut before = None;
        loop {
            let here: Option<(f64, f64)> =
                self.value(&format!("({probe})({element}, {forced})")).await?;
            if here.is_some() && here == before {
                return here.context("a point");
            }
            if Instant::now() > end {
                bail!("no pointer meets {element}");
            }
            before = here;
            sleep(PAUSE).await;
        }
    }

    /// Moves the mouse over an element.
    pub(crate) async fn hover(&mut self, element: &str) -> Result<()> {
        let (x, y) = self.point(element, false).await?;
        self.move_mouse(x, y, 1).await
    }

    /// Moves the mouse in a number of steps.
    pub(crate) async fn move_mouse(&mut self, x: f64, y: f64, steps: u32) -> Result<()> {
        let (from_x, from_y) = self.pointer;
        for step in 1..=steps {
            let part = f64::from(step) / f64::from(steps);
            let (x, y) = (from_x + (x - from_x) * part, from_y + (y - from_y) * part);
            self.mouse(DispatchMouseEventType::MouseMoved, x, y).await?;
        }
        self.pointer = (x, y);
        Ok(())
    }

    async fn mouse(&self, what: DispatchMouseEventType, x: f64, y: f64) -> Result<()> {
        let mut event = DispatchMouseEventParams::new(what.clone(), x, y);
        if what != DispatchMouseEventType::MouseMoved {
            event.button = Some(MouseButton::Left);
            event.click_count = Some(1);
        }
        self.send(event).await
    }

    /// Clicks on an element.
    pub(crate) async fn click(&mut self, element: &str) -> Result<()> {
        let at = self.point(element, false).await?;
        self.click_at(at).await
    }

    /// Clicks on an element even if it says that it takes no clicks.
    pub(crate) async fn click_anyway(&mut self, element: &str) -> Result<()> {
        let at = self.point(element, true).await?;
        self.click_at(at).await
    }

    async fn click_at(&mut self, (x, y): (f64, f64)) -> Result<()> {
        self.move_mouse(x, y, 1).await?;
        self.mouse(DispatchMouseEventType::MousePressed, x, y).await?;
        self.mouse(DispatchMouseEventType::MouseReleased, x, y).await
    }

    /// Taps on an element.
    pub(crate) async fn tap(&self, element: &str) -> Result<()> {
        let (x, y) = self.point(element, false).await?;
        let start = DispatchTouchEventType::TouchStart;
        self.send(DispatchTouchEventParams::new(start, vec![TouchPoint::new(x, y)])).await?;
        self.send(EndTouch { kind: "touchEnd", points: [] }).await
    }

    /// A picture of a part of the page, as PNG.
    pub(crate) async fn picture(&self, clip: Clip) -> Result<Vec<u8>> {
        let Clip { x, y, width, height } = clip;
        let picture = CaptureScreenshotParams::builder()
            .format(CaptureScreenshotFormat::Png)
            .clip(Viewport { x, y, width, height, scale: 1.0 })
            .capture_beyond_viewport(true)
            .build();
        Ok(BASE64_STANDARD.decode(self.ask(picture).await?.data)?)
    }

    /// A picture of the window, as PNG.
    pub(crate) async fn window(&self) -> Result<Vec<u8>> {
        let format = CaptureScreenshotFormat::Png;
        let picture = CaptureScreenshotParams::builder().format(format).build();
        Ok(BASE64_STANDARD.decode(self.ask(picture).await?.data)?)
    }

    /// The page as PDF, on A4.
    pub(crate) async fn pdf(&self) -> Result<Vec<u8>> {
        let paper = PrintToPdfParams::builder()
            .paper_width(8.27)
            .paper_height(11.7)
            .margin_top(0.0)
            .margin_bottom(0.0)
            .margin_left(0.0)
            .margin_right(0.0)
            .build();
        Ok(self.page.pdf(paper).await?)
    }

    /// Holds up all requests for addresses of some patterns, in which `*` stands for anything. A
    /// page that is loaded before may send some all the same.
    pub(crate) async fn hold(&mut self, patterns: &[&str], instead: Instead) -> Result<Arc<Held>> {
        let mut paused = self.page.event_listener::<EventRequestPaused>().await?;
        let pattern = |text: &&str| RequestPattern::builder().url_pattern(*text).build();
        let patterns = patterns.iter().map(pattern);
        self.send(EnableParams::builder().patterns(patterns).build()).await?;
        let held =
            Arc::new(Held { navigated: AtomicBool::new(false), gate: watch::Sender::new(true) });
        let holding = tokio::spawn({
            let (page, held) = (self.page.clone(), Arc::clone(&held));
            async move {
                while let Some(event) = paused.next().await {
                    if event.resource_type == ResourceType::Document {
                        held.navigated.store(true, Ordering::SeqCst);
                    }
                    tokio::spawn(answer(page.clone(), event, instead, Arc::clone(&held)));
                }
            }
        });
        if let Some(before) = self.holding.replace(holding) {
            before.abort();
        }
        Ok(held)
    }

    /// What has happened since this was asked last.
    pub(crate) async fn happened(&mut self) -> Result<Vec<Event>> {
        // Events are told in the order in which the browser sends them, and at the latest with the
        // answer to the second command after them.
        for _ in 0..2 {
            self.value::<i64>("0").await?;
        }
        let mut all = Vec::new();
        while let Some(Some(raw)) = self.raw.next().now_or_never() {
            all.push(raw);
        }
        // Each kind comes in its own order; what is said of a request needs its address.
        for raw in &all {
            if let Raw::Request(event) = raw {
                let id = event.request_id.inner().clone();
                self.addresses.insert(id, event.request.url.clone());
            }
        }
        Ok(all.iter().filter_map(|raw| self.read(raw)).collect())
    }

    fn read(&self, raw: &Raw) -> Option<Event> {
        // What stands in a page's own text costs no request.
        let costs = |address: &&String| !address.starts_with("data:");
        let named = |id: &str| self.addresses.get(id).filter(costs).cloned();
        match raw {
            Raw::Console(event) => (event.r#type == ConsoleApiCalledType::Error).then(|| {
                Event::Console(event.args.iter().map(written).collect::<Vec<_>>().join(" "))
            }),
            Raw::Log(event) => (event.entry.level == LogEntryLevel::Error)
                .then(|| Event::Console(event.entry.text.clone())),
            Raw::Exception(event) => Some(Event::Exception(told(&event.exception_details))),
            Raw::Request(event) => Some(Event::Request(named(event.request_id.inner())?)),
            Raw::Response(event) => {
                let address = named(event.request_id.inner())?;
                Some(Event::Response { address, status: event.response.status })
            }
            Raw::Data(event) => {
                let address = named(event.request_id.inner())?;
                Some(Event::Data { address, bytes: event.data_length })
            }
            Raw::Failed(event) => {
                let address = named(event.request_id.inner())?;
                Some(Event::Failed { address, why: event.error_text.clone() })
            }
        }
    }
}

/// An empty page in a window.
pub(crate) async fn empty_page(
    inner: &chromiumoxide::Browser,
    window: &BrowserContextId,
) -> Result<Page> {
    let empty = CreateTargetParams::builder().url("about:blank").browser_context_id(window.clone());
    let empty = empty.build().map_err(|error| anyhow!(error))?;
    Ok(inner.new_page(empty).await?)
}

/// The events of one kind.
async fn events<T: IntoEventKind + Unpin + Send + Sync + 'static>(
    page: &Page,
    kept: fn(Arc<T>) -> Raw,
) -> Result<BoxStream<'static, Raw>> {
    Ok(page.event_listener::<T>().await?.map(kept).boxed())
}

/// Answers a request that was held up. The page may be gone by then.
async fn answer(page: Page, event: Arc<EventRequestPaused>, instead: Instead, held: Arc<Held>) {
    let id = event.request_id.clone();
    let _ = match instead {
        Instead::Later => {
            let _ = held.gate.subscribe().wait_for(|open| *open).await;
            page.execute(ContinueRequestParams::new(id)).await.err()
        }
        Instead::Refuse => {
            page.execute(FailRequestParams::new(id, ErrorReason::Aborted)).await.err()
        }
        Instead::Nothing => page.execute(FulfillRequestParams::new(id, 204)).await.err(),
    };
}

/// The first line of what an exception says.
fn told(details: &ExceptionDetails) -> String {
    let description = details.exception.as_ref().map(written);
    let text = description.unwrap_or_else(|| details.text.clone());
    text.lines().next().unwrap_or_default().to_string()
}

/// A value of the page as its console writes it.
fn written(value: &RemoteObject) -> String {
    let described = value.description.clone();
    match &value.value {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => described.unwrap_or_default(),
    }
}
