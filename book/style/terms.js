// The definition of a term, shown beside a link to the glossary: while the pointer is on it, while
// it has the focus, or after a tap. Without this script the link is a link.
"use strict";

{
    const TERMS = ".content main a[href*='glossary.html#']";
    const GAP = 6;
    const box = Object.assign(document.createElement("div"), { id: "definition" });
    box.setAttribute("role", "tooltip");
    let shown = null;
    let leaving = 0;
    let touched = false;

    // The definitions stand in a file of their own, which a page asks for with the first of them.
    // A script and not a request, so that it works on pages opened from a disk, too.
    const definitions = () =>
        (definitions.loaded ??= new Promise((resolve) => {
            const script = document.createElement("script");
            script.src = `${path_to_root}style/glossary.js`;
            script.onload = () => resolve(window.glossary);
            script.onerror = () => resolve({});
            document.head.append(script);
        }));

    const hide = () => {
        clearTimeout(leaving);
        shown?.removeAttribute("aria-describedby");
        shown = null;
        box.remove();
    };

    // Below its line, above where there is no room below; always inside the window.
    const place = (link) => {
        const lines = [...link.getClientRects()];
        const [first, last] = [lines.at(0), lines.at(-1)];
        [box.style.left, box.style.top] = ["0", "0"];
        const at = box.getBoundingClientRect();
        const right = document.documentElement.clientWidth - at.width - GAP;
        const below = last.bottom + GAP + at.height <= innerHeight;
        box.style.left = `${Math.max(GAP, Math.min(last.left, right)) - at.left}px`;
        box.style.top = `${(below ? last.bottom + GAP : first.top - GAP - at.height) - at.top}px`;
    };

    const show = async (link) => {
        clearTimeout(leaving);
        if (shown === link) {
            return;
        }
        hide();
        shown = link;
        const [term, definition] = (await definitions())?.[link.hash.slice(1)] ?? [];
        if (shown !== link || !term) {
            return;
        }
        const name = Object.assign(document.createElement("strong"), { textContent: term });
        box.replaceChildren(name, ` ${definition}`);
        link.closest("main").append(box);
        link.setAttribute("aria-describedby", box.id);
        place(link);
    };

    // Long enough to move the pointer from the link over to the box.
    const leave = () => {
        clearTimeout(leaving);
        leaving = setTimeout(hide, 300);
    };

    box.addEventListener("pointerenter", () => clearTimeout(leaving));
    box.addEventListener("pointerleave", leave);
    for (const link of document.querySelectorAll(TERMS)) {
        link.addEventListener("pointerenter", ({ pointerType }) => {
            if (pointerType !== "touch") {
                show(link);
            }
        });
        link.addEventListener("pointerleave", ({ pointerType }) => {
            if (pointerType !== "touch" && document.activeElement !== link) {
                leave();
            }
        });
        link.addEventListener("pointerdown", ({ pointerType }) => {
            touched = pointerType === "touch" && shown !== link;
        });
        link.addEventListener("focus", () => show(link));
        link.addEventListener("blur", leave);
        // A first tap shows the definition, a second one follows the link.
        link.addEventListener("click", (event) => {
            if (touched) {
                event.preventDefault();
                show(link);
            }
            touched = false;
        });
    }
    document.addEventListener("pointerdown", ({ target }) => {
        if (shown && target !== shown && !shown.contains(target) && !box.contains(target)) {
            hide();
        }
    });
    // Before mdBook's own keys see it.
    document.addEventListener(
        "keydown",
        (event) => {
            if (event.key === "Escape" && shown) {
                event.stopPropagation();
                hide();
            }
        },
        { capture: true },
    );
    addEventListener("resize", hide);
}
