// The names of the boxes of the figures' tables that cut what is in them.
() =>
  [...document.querySelectorAll(".drawing .table-box")]
    .filter((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
    .map((box) => box.getAttribute("aria-label"))
