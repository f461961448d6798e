// The keyboard and the boxes that scroll to the side. Without this script every such box is a
// tab stop, and the arrow keys scroll it.
"use strict";

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
