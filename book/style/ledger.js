// The reverse ledger, one step at a time beside the graph. Everything it shows is taken from the
// table and the picture that stand on the page; without this script they are the whole figure.
"use strict";

{
    const PAUSE = 3000;
    const calm = matchMedia("(prefers-reduced-motion: reduce)");

    const element = (name, properties = {}, ...content) => {
        const made = Object.assign(document.createElement(name), properties);
        made.append(...content);
        return made;
    };

    // The graph of the page, as a picture without a name of its own.
    const graph = () => {
        const drawn = document.querySelector("[data-drawing='forward-graph'] svg");
        const copy = drawn?.cloneNode(true);
        copy?.querySelectorAll("title, desc").forEach((part) => part.remove());
        // The totals stand below the graph itself, and leave no gap.
        const total = copy?.querySelector(".total");
        if (total) {
            const { x, y, width, height } = copy.viewBox.baseVal;
            const kept = Number(total.getAttribute("y")) - 16;
            copy.setAttribute("viewBox", [x, y, width, kept].join(" "));
            copy.setAttribute("height", (copy.getAttribute("height") * kept) / height);
            total.remove();
        }
        ["role", "aria-labelledby"].forEach((name) => copy?.removeAttribute(name));
        copy?.setAttribute("aria-hidden", "true");
        copy?.querySelectorAll("[data-edge] path").forEach((line) => {
            // A line starts at the operand, and ends with its head. While an adjoint goes back along
            // it, the head is at the other end.
            const { x, y } = line.getPointAtLength(0);
            const whole = line.getAttribute("d");
            const cut = whole.lastIndexOf("M");
            line.setAttribute("d", whole.slice(0, cut) || whole);
            const head = (name, drawn) => {
                const path = line.cloneNode();
                path.setAttribute("class", name);
                path.setAttribute("d", drawn);
                return path;
            };
            const back = `M${x - 5} ${y + 9}L${x} ${y + 1}l5 8`;
            line.after(...(cut > 0 ? [head("forth", whole.slice(cut))] : []), head("back", back));
        });
        return copy;
    };

    const start = (figure) => {
        const rows = [...figure.querySelectorAll("tr[data-edge]")];
        if (rows.length === 0) {
            return;
        }
        const heads = rows[0].closest("table").tHead?.rows[0]?.cells ?? [];
        let step = 0;
        let timer = null;

        const picture = graph();
        const said = element("output");
        const edge = element("dl", { className: "stepper-edge" });
        const button = (text) => element("button", { type: "button" }, text);
        const [previous, play, next] = ["Previous", "Play", "Next"].map(button);
        const keys = element("div", { className: "stepper-keys" }, previous, play, next, said);
        keys.setAttribute("role", "group");
        keys.setAttribute("aria-label", "Step through the ledger");
        const box = element("div", { className: "stepper-graph" }, keys, ...[picture].filter(Boolean));
        const view = element("div", { className: "stepper-view" }, box, edge);
        // Whoever clicks beside the keys has the arrow keys as well.
        const stepper = element("div", { className: "stepper", tabIndex: -1 }, view);

        // The adjoint of a node after this step: what the last edge to it left there. No edge leads
        // to the output, whose adjoint is upstream of the first.
        const upstream = [...heads].findIndex((head) => head.textContent.startsWith("upstream"));
        const targets = new Set(rows.map((row) => row.dataset.parent));
        const adjoint = (node) => {
            if (!targets.has(node)) {
                return rows[0].cells[upstream].textContent;
            }
            const done = rows.slice(0, step + 1).filter((row) => row.dataset.parent === node);
            return [...(done.at(-1)?.cells ?? [])].at(-1)?.textContent ?? "0, nothing yet";
        };

        const describe = (row) => {
            edge.replaceChildren(
                ...[...row.cells].slice(1).flatMap((cell, index) => {
                    const content = (from) => [...from.childNodes].map((one) => one.cloneNode(true));
                    const properties = { className: cell.className };
                    return [
                        element("dt", {}, ...content(heads[index + 1])),
                        element("dd", properties, ...content(cell)),
                    ];
                }),
            );
        };

        // The details keep the height of the longest, so that no step moves what is below them.
        let width = 0;
        const reserve = () => {
            if (edge.offsetWidth === width) {
                return;
            }
            width = edge.offsetWidth;
            edge.style.minHeight = "";
            const heights = rows.map((row) => {
                describe(row);
                return edge.offsetHeight;
            });
            describe(rows[step]);
            edge.style.minHeight = `${Math.max(...heights)}px`;
        };

        // Where the graph scrolls in a box, the lit edge comes into the part below the keys, or beside
        // them. Only the box moves, never the page.
        const follow = () => {
            const lit = picture?.querySelector(".now")?.getBoundingClientRect();
            if (!lit || box.scrollHeight <= box.clientHeight) {
                return;
            }
            const beside = getComputedStyle(box).flexDirection === "row";
            const above = beside ? 0 : keys.offsetHeight;
            const middle = (lit.top + lit.bottom) / 2 - box.getBoundingClientRect().top - box.clientTop;
            const behavior = calm.matches ? "instant" : "smooth";
            box.scrollBy({ top: middle - (above + box.clientHeight) / 2, behavior });
        };

        const show = (wanted) => {
            step = Math.min(Math.max(wanted, 0), rows.length - 1);
            const row = rows[step];
            rows.forEach((one) => one.removeAttribute("aria-current"));
            row.setAttribute("aria-current", "step");
            describe(row);
            const [number, edges, slot] = [...row.cells].map((cell) => cell.textContent);
            const after = [...row.cells].at(-1).textContent;
            said.replaceChildren(
                `Step ${number} (0 to ${rows.length - 1}): ${edges}, slot ${slot}`,
                element("span", {}, `; the parent’s adjoint is now ${after}`),
            );
            previous.setAttribute("aria-disabled", step === 0);
            next.setAttribute("aria-disabled", step === rows.length - 1);
            picture?.querySelectorAll("[data-node]").forEach((node) => {
                // The last line beside a node: a word, and behind it the numbers.
                node.lastElementChild.lastChild.data = ` ${adjoint(node.dataset.node)}`;
            });
            const marks = {
                now: `[data-edge="${row.dataset.edge}"]`,
                "child-now": `[data-node="${row.dataset.child}"]`,
                "parent-now": `[data-node="${row.dataset.parent}"]`,
            };
            for (const [mark, selector] of Object.entries(marks)) {
                picture?.querySelectorAll(`.${mark}`).forEach((one) => one.classList.remove(mark));
                picture?.querySelector(selector)?.classList.add(mark);
            }
            follow();
        };

        const pause = () => {
            clearInterval(timer);
            timer = null;
            play.textContent = "Play";
        };
        const go = (wanted) => {
            pause();
            show(wanted);
        };
        const advance = () => {
            show(step + 1);
            if (step === rows.length - 1) {
                pause();
            }
        };

        previous.addEventListener("click", () => go(step - 1));
        next.addEventListener("click", () => go(step + 1));
        play.addEventListener("click", () => {
            if (timer) {
                pause();
                return;
            }
            timer = setInterval(advance, PAUSE);
            play.textContent = "Pause";
            // At once, and from the end to the start.
            step = step === rows.length - 1 ? -1 : step;
            advance();
        });
        document.addEventListener("visibilitychange", () => document.hidden && pause());

        // Nothing moves by itself for a reader who asked for that.
        const respect = () => {
            play.hidden = calm.matches;
            pause();
        };
        calm.addEventListener("change", respect);
        respect();

        // Only while the focus is in the figure; mdBook takes these two for "turn the page". A box
        // that scrolls has them for itself (keys.js).
        figure.addEventListener("keydown", (event) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
                return;
            }
            event.preventDefault();
            event.stopPropagation();
            go(step + by);
        });

        show(0);
        figure.querySelector(".drawn").prepend(stepper);
        const sizes = new ResizeObserver(() => {
            reserve();
            follow();
        });
        [edge, box].forEach((part) => sizes.observe(part));
    };

    document.querySelectorAll("[data-drawing='reverse-ledger']").forEach(start);
}
