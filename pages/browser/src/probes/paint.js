// Colours as Chromium paints them one over the other, whatever way the style sheet writes them.
(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const painted = new Map();
  return (colours) => {
    const key = colours.join();
    if (!painted.has(key)) {
      canvas.clearRect(0, 0, 1, 1);
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      painted.set(key, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return painted.get(key);
  };
})()
