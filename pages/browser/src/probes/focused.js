// What has the focus, what it says of itself, and whether the sidebar is in sight.
() => {
  const element = document.activeElement;
  // With a script the switch is a button, without one the check box of a label.
  const label = element.labels?.[0];
  const { outlineStyle, outlineWidth } = getComputedStyle(label ?? element);
  const sidebar = document.querySelector("#mdbook-sidebar");
  return {
    skips: element.matches(".skip-link") && element.getBoundingClientRect().top >= 0,
    in_text: Boolean(element.closest("#mdbook-content")),
    switches: [element.id, label?.id].includes("mdbook-sidebar-toggle"),
    name: element.ariaLabel,
    outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    told: element.ariaExpanded ?? `${element.checked}`,
    sidebar:
      sidebar !== null &&
      sidebar.getBoundingClientRect().right > 0 &&
      getComputedStyle(sidebar).visibility === "visible",
  };
}
