// A search for the exact name of a listing, or of something that it defines, finds that listing first.
// mdBook's search takes `tensor-reverse-pass` for three words, and sections hold them more often.
"use strict";

if (window.elasticlunr) {
    // mdBook's search listens to keys alone; words that are pasted, dropped or spoken bring none.
    const field = document.getElementById("mdbook-searchbar");
    field?.addEventListener("input", () => field.dispatchEvent(new KeyboardEvent("keyup")));

    const LIST = "List of listings » ";
    const { search } = elasticlunr.Index.prototype;
    elasticlunr.Index.prototype.search = function (query, ...settings) {
        const name = query.trim();
        const results = search.call(this, query, ...settings);
        // A word without a capital, hyphen or underscore is a word of the prose, too.
        if (!/^\w+[-_\w]*$/.test(name) || !/[-_A-Z]/.test(name)) {
            return results;
        }
        const isNamed = ({ doc: { breadcrumbs, title, body } }) =>
            breadcrumbs.startsWith(LIST) &&
            (title.split(" ").at(-1) === name || body.split("Defines ").at(-1).split(/\s+/).includes(name));
        return [...results.filter(isNamed), ...results.filter((result) => !isNamed(result))];
    };
}
