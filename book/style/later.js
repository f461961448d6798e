// What a page loads when a reader asks for it: the scripts of the search, and the check of a
// listing. Scripts, since a page that is opened from a disk may load nothing else.
"use strict";

{
    const load = (address, then) => {
        const script = document.createElement("script");
        // In the order in which they are asked for.
        script.async = false;
        script.src = address;
        script.addEventListener("load", () => then(script));
        script.addEventListener("error", () => then(null));
        document.head.append(script);
    };

    // ---- Search: mdBook's own scripts, as soon as somebody searches.
    // Its last is the one that answers keys: as it starts it closes the box, and what is typed from
    // then on is lost till the box opens again below.
    const answers = ({ src }) => /\/searcher(-\w+)?\.js$/.test(src);
    const scripts = [...document.querySelectorAll("script[type='text/later']")].sort(
        (one, other) => answers(one) - answers(other),
    );
    const button = document.getElementById("mdbook-search-toggle");
    const box = document.getElementById("mdbook-search-wrapper");
    const field = document.getElementById("mdbook-searchbar");
    let asked = false;

    const loadSearch = (then) => {
        asked = true;
        scripts.forEach((script, index) => {
            load(script.src, index + 1 < scripts.length ? () => {} : then);
        });
    };

    const openSearch = () => {
        // Open at once; what is typed before the scripts are there is searched for when they are.
        box.classList.remove("hidden");
        window.scrollTo(0, 0);
        field.focus();
        loadSearch((loaded) => {
            if (!loaded) {
                return;
            }
            // mdBook's script starts with the box closed, and this is how it opens it.
            box.classList.add("hidden");
            button.click();
            if (field.value !== "") {
                field.setSelectionRange(field.value.length, field.value.length);
                field.dispatchEvent(new KeyboardEvent("keyup"));
            }
        });
    };

    if (scripts.length > 0) {
        // An address with words to search for or to mark.
        if (/[?&](search|highlight)=/.test(location.search)) {
            loadSearch(() => {});
        }
        button.addEventListener("click", () => asked || openSearch());
        document.addEventListener("keydown", (event) => {
            const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
            const search = event.key === "s" || event.key === "/";
            if (asked || modified || !search || mdbook_something_else_has_focus(event)) {
                return;
            }
            event.preventDefault();
            openSearch();
        });
        box.addEventListener("submit", (event) => event.preventDefault());
    }

    // ---- Checks: each when its fold is opened for the first time.
    const showCheck = (fold) => {
        const page = fold.nextElementSibling.querySelector("a");
        load(page.href.replace(/\.html$/, ".js"), (loaded) => {
            if (!loaded) {
                const line = document.createElement("p");
                line.append("It is on a page of its own: ", page.cloneNode(true));
                fold.append(line);
                return;
            }
            const template = document.createElement("template");
            template.innerHTML = loaded.check;
            const pre = template.content.firstChild;
            // As mdBook's script does it for the code that was there from the start.
            const buttons = fold.parentElement.querySelector("pre > .buttons");
            if (buttons) {
                pre.prepend(buttons.cloneNode(true));
                const copy = pre.querySelector(".clip-button");
                copy.addEventListener("mouseout", () => {
                    copy.firstChild.innerText = "";
                    copy.className = "clip-button";
                });
            }
            fold.append(pre);
            fold.dispatchEvent(new CustomEvent("unfolded", { bubbles: true }));
        });
    };
    document.querySelectorAll("details.check").forEach((fold) => {
        fold.addEventListener("toggle", () => showCheck(fold), { once: true });
    });
}

{
    // A page whose scripts come slowly may stay at its top, wherever its address leads.
    const arrive = () => {
        const [{ type } = {}] = performance.getEntriesByType("navigation");
        if (type === "navigate" && scrollY === 0) {
            document.querySelector(":target")?.scrollIntoView();
        }
    };
    addEventListener("load", arrive);
}
