//! From the HTML of a page to the XHTML that a volume holds.

use scraper::{ElementRef, Html, Node};

const HTML: &str = "http://www.w3.org/1999/xhtml";
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
const SVG: &str = "http://www.w3.org/2000/svg";

/// The elements without content.
const VOID: [&str; 6] = ["br", "col", "hr", "img", "input", "wbr"];

/// Where a link leads in the volume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// To this address.
    To(String),
    /// To something that is on the site only: its words stay.
    Nowhere,
}

/// The text of one document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// What stands in its body.
    pub(crate) body: String,
    /// The headings of its sections that have an address, with that address.
    pub(crate) sections: Vec<(String, String)>,
    /// Its places.
    pub(crate) ids: Vec<String>,
    /// The addresses of its links.
    pub(crate) links: Vec<String>,
    /// Whether it holds a formula.
    pub(crate) mathml: bool,
    /// Whether it holds a drawing.
    pub(crate) svg: bool,
}

/// Turns a part of a finished page into a part of a document; `follow` says where links lead.
///
/// # Errors
///
/// What cannot stand in a volume, in words.
pub(crate) fn convert(
    html: &str,
    follow: &dyn Fn(&str) -> Result<Target, String>,
) -> Result<Page, String> {
    let html = Html::parse_fragment(html);
    let mut writer = Writer { page: Page::default(), follow };
    writer.children(html.root_element(), HTML, false)?;
    Ok(writer.page)
}

struct Writer<'follow> {
    page: Page,
    follow: &'follow dyn Fn(&str) -> Result<Target, String>,
}

impl Writer<'_> {
    fn children(
        &mut self,
        element: ElementRef<'_>,
        namespace: &str,
        code: bool,
    ) -> Result<(), String> {
        for child in element.children() {
            match child.value() {
                Node::Text(text) => self.text(text)?,
                Node::Element(_) => {
                    let child = ElementRef::wrap(child).expect("it is an element");
                    self.element(child, namespace, code)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        for character in text.chars() {
            match character {
                '&' => self.page.body.push_str("&amp;"),
                '<' => self.page.body.push_str("&lt;"),
                '>' => self.page.body.push_str("&gt;"),
                '"' => self.page.body.push_str("&quot;"),
                '\n' | '\t' => self.page.body.push(character),
                // XML has no way to write the others.
                _ if character.is_control() => {
                    return Err(format!("U+{:04X} in its text", u32::from(character)));
                }
                _ => self.page.body.push(character),
            }
        }
        Ok(())
    }

    fn element(&mut self, node: ElementRef<'_>, parent: &str, code: bool) -> Result<(), String> {
        let element = node.value();
        let classes = |names: &[&str]| element.classes().any(|class| names.contains(&class));
        let mut name = element.name();
        // What only a script could serve, the fold that a script fills, and where pages lie that no
        // volume has.
        if matches!(name, "script" | "style" | "template" | "button")
            || classes(&["buttons", "check", "stepper", "address", "unprinted"])
        {
            return Ok(());
        }
        if name == "img" {
            return Err("a picture is not packed into the volume".to_string());
        }
        let namespace = element.name.ns.to_string();
        let inside_code = code || name == "code" && classes(&["language-rust"]);
        let mut attributes = self.attributes(&node, inside_code)?;
        if name == "a" {
            match attributes.iter().position(|(key, _)| key == "href") {
                // The link of a heading or a caption to itself.
                Some(_) if classes(&["header"]) || in_caption(node) => {
                    return self.children(node, &namespace, code);
                }
                Some(at) => match (self.follow)(&attributes[at].1)? {
                    Target::Nowhere => return self.children(node, &namespace, code),
                    Target::To(address) => {
                        self.page.links.push(address.clone());
                        attributes[at].1 = address;
                    }
                },
                None => {}
            }
        } else if let Some(class) = inside_code.then(|| piece(name)).flatten() {
            name = "span";
            attributes.push(("class".to_string(), class.to_string()));
        }
        attributes.extend(as_list(node));
        if namespace != parent {
            attributes.insert(0, ("xmlns".to_string(), namespace.clone()));
        }
        self.page.mathml |= namespace == MATHML;
        self.page.svg |= namespace == SVG;
        if let Some(id) = element.id() {
            self.page.ids.push(id.to_string());
            if name == "h2" {
                self.page.sections.push((id.to_string(), node.text().collect()));
            }
        }

        self.page.body.push_str(&format!("<{name}"));
        for (key, value) in &attributes {
            self.page.body.push_str(&format!(" {key}=\""));
            self.text(value)?;
            self.page.body.push('"');
        }
        if VOID.contains(&name) && namespace == HTML {
            self.page.body.push_str("/>");
            return Ok(());
        }
        self.page.body.push('>');
        // The pages leave it to their style sheet.
        if let Some(number) = element.attr("data-number") {
            self.page.body.push_str("<span class=\"number\">");
            self.text(number)?;
            self.page.body.push_str("</span> ");
        }
        self.children(node, &namespace, inside_code)?;
        self.page.body.push_str(&format!("</{name}>"));
        Ok(())
    }

    /// The attributes of an element without those of a box that scrolls: a volume turns pages.
    fn attributes(
        &self,
        node: &ElementRef<'_>,
        code: bool,
    ) -> Result<Vec<(String, String)>, String> {
        let element = node.value();
        let scrolls = element.attr("tabindex").is_some();
        let mut attributes = Vec::new();
        for (key, value) in element.attrs() {
            let dropped = match key {
                "tabindex" | "data-number" => true,
                "role" | "aria-label" => scrolls,
                "class" => code && piece(element.name()).is_some(),
                _ if key.starts_with("on") => return Err(format!("a script in `{key}`")),
                _ => false,
            };
            if !dropped {
                attributes.push((key.to_string(), value.to_string()));
            }
        }
        attributes.sort();
        Ok(attributes)
    }
}

/// Whether a link is the number of a figure.
fn in_caption(node: ElementRef<'_>) -> bool {
    let parent = node.parent().and_then(ElementRef::wrap);
    parent.is_some_and(|parent| {
        parent.value().classes().any(|class| matches!(class, "listing-number" | "figure-number"))
    })
}

/// What a part of a wide table gets besides, since the volume makes a list of each row: the name of a
/// cell's column, and the role that browsers take from a part once it is a block.
fn as_list(node: ElementRef<'_>) -> Vec<(String, String)> {
    let role = match node.value().name() {
        "table" => "table",
        "tbody" => "rowgroup",
        "tr" => "row",
        "th" => "rowheader",
        "td" => "cell",
        _ => return Vec::new(),
    };
    let is_wide = |table: &ElementRef<'_>| table.value().classes().any(|class| class == "wide");
    let mut around = node.ancestors().filter_map(ElementRef::wrap).take_while(|one| !is_wide(one));
    // The header is not shown.
    if around.any(|one| one.value().name() == "thead") {
        return Vec::new();
    }
    let table =
        std::iter::once(node).chain(node.ancestors().filter_map(ElementRef::wrap)).find(is_wide);
    let Some(table) = table else { return Vec::new() };
    let mut added = vec![("role".to_string(), role.to_string())];
    if matches!(role, "rowheader" | "cell") {
        let column = node.prev_siblings().filter_map(ElementRef::wrap).count();
        let header =
            table.descendent_elements().filter(|one| one.value().name() == "th").nth(column);
        let name = header.map(|header| header.text().collect());
        added.extend(name.map(|name| ("data-label".to_string(), name)));
    }
    added
}

/// The class of a piece of code, which the pages name by an element: see `colour.rs`.
fn piece(element: &str) -> Option<&'static str> {
    Some(match element {
        "b" => "keyword",
        "i" => "comment",
        "u" => "type",
        "c-v" => "value",
        "c-t" => "text",
        "c-n" => "name",
        "c-a" => "attribute",
        "c-l" => "line",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_a_wide_table_name_their_columns() {
        let table = |class: &str| {
            format!(
                "<table{class}><caption>C</caption><thead><tr><th>a</th><th>b <i>c</i></th></tr>\
                 </thead><tbody><tr><th>1</th><td>2</td></tr></tbody></table>"
            )
        };
        let wanted =
            "<table class=\"wide\" role=\"table\"><caption>C</caption><thead><tr><th>a</th>\
                      <th>b <i>c</i></th></tr></thead><tbody role=\"rowgroup\"><tr role=\"row\">\
                      <th role=\"rowheader\" data-label=\"a\">1</th>\
                      <td role=\"cell\" data-label=\"b c\">2</td></tr></tbody></table>";
        let page = converted(&table(" class=\"wide\"")).unwrap();
        assert_eq!(page.body, wanted);
        let page = converted(&table("")).unwrap();
        assert!(!page.body.contains("role") && !page.body.contains("label"), "{}", page.body);
    }

    /// Where pages lie that no volume has.
    #[test]
    fn addresses_on_the_site_are_left_out() {
        let html = "<p>w<span class=\"address\"> at a.html</span></p>\
                    <div class=\"unprinted\"><h2 id=\"n\">Names</h2></div>";
        let page = converted(html).unwrap();
        assert_eq!((page.body.as_str(), page.sections.len()), ("<p>w</p>", 0));
    }

    fn converted(html: &str) -> Result<Page, String> {
        convert(html, &|link| match link {
            "nowhere" => Ok(Target::Nowhere),
            "fault" => Err("fault".to_string()),
            link => Ok(Target::To(format!("{link}!"))),
        })
    }

    #[test]
    fn what_xml_wants_is_written() {
        let page = converted("<p class=x hidden>\ta &lt; b &amp; \"c\"<br>d<a id=e></a><!-- f -->")
            .unwrap();
        let wanted =
            "<p class=\"x\" hidden=\"\">\ta &lt; b &amp; &quot;c&quot;<br/>d<a id=\"e\"></a></p>";
        assert_eq!((page.body.as_str(), &page.ids[..]), (wanted, &["e".to_string()][..]));
        assert_eq!(converted("a\u{1}b").unwrap_err(), "U+0001 in its text");
    }

    #[test]
    fn formulas_and_drawings_say_what_they_are() {
        let page = converted("<math><mi>x</mi></math>").unwrap();
        assert_eq!(page.body, format!("<math xmlns=\"{MATHML}\"><mi>x</mi></math>"));
        assert_eq!((page.mathml, page.svg), (true, false));
        let page = converted("<svg viewbox='0 0 1 1'><path d=M0/><title>T</title></svg>").unwrap();
        let wanted = "<path d=\"M0/\"><title>T</title></path>";
        assert_eq!(page.body, format!("<svg xmlns=\"{SVG}\" viewBox=\"0 0 1 1\">{wanted}</svg>"));
        assert_eq!((page.mathml, page.svg), (false, true));
    }

    #[test]
    fn links_are_followed() {
        let page = converted("<a href=b class=c>d</a><a href=nowhere>e</a>").unwrap();
        assert_eq!(page.body, "<a class=\"c\" href=\"b!\">d</a>e");
        assert_eq!(page.links, ["b!"]);
        assert_eq!(converted("<a href=fault>d</a>").unwrap_err(), "fault");
    }

    #[test]
    fn headings_are_plain_and_numbered() {
        let page = converted(
            "<h1 data-number=15 id=t><a class=header href=#t>T</a></h1><h2 id=s>A <code>b</code></h2>",
        )
        .unwrap();
        let title = "<h1 id=\"t\"><span class=\"number\">15</span> T</h1>";
        assert_eq!(page.body, format!("{title}<h2 id=\"s\">A <code>b</code></h2>"));
        let sections = page.sections;
        let number = "<span class=\"listing-number\">Listing 1</span>";
        let page = |html: &str| converted(html).map(|page| page.body);
        assert_eq!(
            page(&number.replace("Listing 1", "<a href=#x>Listing 1</a>")).as_deref(),
            Ok(number)
        );
        assert_eq!(sections, [("s".to_string(), "A b".to_string())]);
    }

    #[test]
    fn pieces_of_code_are_spans_and_nothing_scrolls() {
        let page = converted(
            "<pre><code class=language-rust tabindex=0 role=region aria-label=L><b>fn</b> \
             <c-n>f</c-n></code></pre><p><b>B</b></p><svg role=img aria-label=S></svg>",
        )
        .unwrap();
        let wanted = "<pre><code class=\"language-rust\"><span class=\"keyword\">fn</span> \
            <span class=\"name\">f</span></code></pre><p><b>B</b></p>";
        assert!(page.body.starts_with(wanted), "{}", page.body);
        assert!(page.body.contains("aria-label=\"S\" role=\"img\""), "{}", page.body);
    }

    #[test]
    fn what_a_volume_cannot_serve_is_left_out_or_refused() {
        let page = converted(
            "<script>x</script><button>y</button><details class=check></details>\
             <div class=stepper><p>z</p></div><p>w</p>",
        );
        assert_eq!(page.unwrap().body, "<p>w</p>");
        assert_eq!(
            converted("<img src=x>").unwrap_err(),
            "a picture is not packed into the volume"
        );
        assert_eq!(converted("<p onclick=x>").unwrap_err(), "a script in `onclick`");
    }
}
