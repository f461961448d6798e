// The switch of the sidebar: whether it has the focus, what it did, and what it says of that.
() => {
  const button = document.getElementById("mdbook-sidebar-toggle");
  return {
    focused: button === document.activeElement,
    on: document.getElementById("mdbook-sidebar-toggle-anchor").checked,
    told: button.getAttribute("aria-expanded"),
  };
}
