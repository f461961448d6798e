// The keyboard: the switch of the sidebar, the boxes that scroll to the side, and the names in code
// that lead to their definitions. Without this script the switch is a check box, every such box and
// every such name is a tab stop, and the arrow keys scroll a box.
"use strict";

{
    // mdBook has a label in place of a button, and no key presses a label.
    const box = document.getElementById("mdbook-sidebar-toggle-anchor");
    const label = document.getElementById("mdbook-sidebar-toggle");
    // A page that leads elsewhere, or the sidebar's own frame, has neither.
    if (box && label) {
        const button = document.createElement("button");
        button.append(...label.childNodes);
        Object.assign(button, { type: "button", className: label.className, title: label.title });
        button.setAttribute("aria-label", box.getAttribute("aria-label"));
        button.setAttribute("aria-controls", "mdbook-sidebar");
        const tell = () => button.setAttribute("aria-expanded", box.checked);
        box.addEventListener("change", tell);
        button.addEventListener("click", () => box.click());
        tell();
        label.replaceWith(button);
        button.id = label.id;
    }
}

{
    const BOXES = "pre > code, .table-box, .formula";
    const scrolls = (box) => box.scrollWidth > box.clientWidth;

    // A box that fits needs no tab stop. Its size changes with the window, and when it unfolds.
    const watch = new ResizeObserver((entries) => {
        for (const { target } of entries) {
            if (scrolls(target)) {
                target.tabIndex = 0;
            } else {
                target.removeAttribute("tabindex");
            }
        }
    });
    const watchBoxes = (part) =>
        part.querySelectorAll(`[tabindex]:is(${BOXES})`).forEach((box) => watch.observe(box));

    // The names of a listing are one tab stop together: hundreds would bury the page's other
    // links. From the first, or the last used, the arrow keys go to the others.
    const names = (code) => [...code.querySelectorAll("a[href]")];
    const enter = (name, code) => {
        names(code).forEach((other) => (other.tabIndex = -1));
        name.removeAttribute("tabindex");
    };
    document.querySelectorAll("pre > code").forEach((code) => {
        const [first] = names(code);
        if (!first) {
            return;
        }
        enter(first, code);
        code.addEventListener("focusin", (event) => {
            const name = event.target.closest("a[href]");
            if (name) {
                enter(name, code);
            }
        });
    });
    const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

    const move = (event) => {
        const step = STEPS[event.key];
        const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
        if (!step || modified || !(event.target instanceof Element)) {
            return;
        }
        const code = event.target.closest("pre > code");
        if (code && event.target.matches("a[href]")) {
            const all = names(code);
            const next = all[all.indexOf(event.target) + step];
            event.stopPropagation();
            if (next) {
                event.preventDefault();
                next.focus();
            }
        } else if (
            // mdBook takes these two keys for "turn the page", wherever the focus is.
            (event.key === "ArrowLeft" || event.key === "ArrowRight") &&
            event.target.matches(BOXES) &&
            scrolls(event.target)
        ) {
            event.stopPropagation();
        }
    };
    document.addEventListener("keydown", move, { capture: true });
    document.addEventListener("unfolded", (event) => watchBoxes(event.target));
    watchBoxes(document);
}
