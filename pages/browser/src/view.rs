/// How a reader looks at a page.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// The width of the window, in CSS pixels.
    pub width: i64,
    /// The height of the window.
    pub height: i64,
    /// A finger instead of a mouse.
    pub touch: bool,
    /// Whether the page's scripts run.
    pub scripted: bool,
    /// As it is printed.
    pub print: bool,
    /// The system asks for dark colours.
    pub dark: bool,
    /// The system asks for no motion.
    pub calm: bool,
    /// The theme that the reader chose before.
    pub theme: Option<&'static str>,
    /// Timers of a second and more stand still until a check moves them on.
    pub still: bool,
}

/// The narrowest phone.
pub const PHONE: View = View::sized(360, 740);

/// A small laptop.
pub const LAPTOP: View = View::sized(1280, 800);

/// A4 paper with margins of 2 cm.
pub const PAPER: View = View::sized(642, 971).printed();

/// All themes of the book.
pub const THEMES: [&str; 5] = ["light", "rust", "coal", "navy", "ayu"];

impl View {
    /// A window with a mouse, in which scripts run.
    pub const fn sized(width: i64, height: i64) -> Self {
        Self {
            width,
            height,
            touch: false,
            scripted: true,
            print: false,
            dark: false,
            calm: false,
            theme: None,
            still: false,
        }
    }

    /// The same on a screen that is touched.
    pub const fn touched(self) -> Self {
        Self { touch: true, ..self }
    }

    /// The same without the page's scripts.
    pub const fn scriptless(self) -> Self {
        Self { scripted: false, ..self }
    }

    /// The same as it is printed.
    pub const fn printed(self) -> Self {
        Self { print: true, ..self }
    }

    /// The same where the system asks for dark colours.
    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// The same where the system asks for no motion.
    pub const fn calm(self) -> Self {
        Self { calm: true, ..self }
    }

    /// The same in a theme.
    pub const fn theme(self, theme: &'static str) -> Self {
        Self { theme: Some(theme), ..self }
    }

    /// The same with long timers that stand still.
    pub const fn still(self) -> Self {
        Self { still: true, ..self }
    }

    /// What tells this view from others, in words.
    pub(crate) fn words(&self) -> String {
        let media = if self.print { "on paper".into() } else { format!("at {} px", self.width) };
        let theme = self.theme.map(|theme| format!(" in {theme}")).unwrap_or_default();
        let dark = if self.dark { ", dark" } else { "" };
        let touch = if self.touch { ", touched" } else { "" };
        let scripts = if self.scripted { "" } else { ", without JavaScript" };
        format!("{media}{theme}{dark}{touch}{scripts}")
    }
}
