// Runs before the page's scripts: timers of a second and more wait for `clock(milliseconds)`.
{
  const LONG = 1000;
  const waiting = new Map();
  let [now, last] = [0, 1e9];
  const instead = (real, again) => (call, delay = 0, ...more) => {
    if (delay < LONG) {
      return real(call, delay, ...more);
    }
    last += 1;
    waiting.set(last, { call: () => call(...more), due: now + delay, delay, again });
    return last;
  };
  const { setTimeout, setInterval, clearTimeout } = window;
  window.setTimeout = instead(setTimeout.bind(window), false);
  window.setInterval = instead(setInterval.bind(window), true);
  window.clearTimeout = window.clearInterval = (timer) => {
    if (!waiting.delete(timer)) {
      clearTimeout(timer);
    }
  };
  window.clock = (milliseconds) => {
    const end = now + milliseconds;
    for (;;) {
      const due = [...waiting].filter(([, { due }]) => due <= end);
      const [first] = due.sort(([, one], [, other]) => one.due - other.due);
      if (!first) {
        break;
      }
      const [timer, entry] = first;
      now = entry.due;
      if (entry.again) {
        entry.due += entry.delay;
      } else {
        waiting.delete(timer);
      }
      entry.call();
    }
    now = end;
  };
}
