// The keyboard: the switch of the sidebar, and the boxes that scroll to the side. Without this script
// the switch is a check box, every such box is a tab stop, and the arrow keys scroll it.
"use strict";

{
    // mdBook has a label in place of a button, and no key presses a label.
    const box = document.getElementById("mdbook-sidebar-toggle-anchor");
    const label = document.getElementById("mdbook-sidebar-toggle");
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

{
    const boxes = document.querySelectorAll("[tabindex]:is(pre > code, .table-box, .formula)");
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
    boxes.forEach((box) => watch.observe(box));

    // mdBook takes these two keys for "turn the page", wherever the focus is.
    const scrolling = (event) => {
        const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
        if (sideways && [...boxes].includes(event.target) && scrolls(event.target)) {
            event.stopPropagation();
        }
    };
    document.addEventListener("keydown", scrolling, { capture: true });
}
