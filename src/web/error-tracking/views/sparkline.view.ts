import { html, type Html } from '#kernel/html/html.js';

const WIDTH = 5;
const HEIGHT = 32;

/** Renders counts as bars, oldest first, without a script; `label` is the text alternative. */
export function sparkline(counts: readonly number[], label: string): Html {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, index) => {
    const height = count <= 0 ? 1 : Math.max(2, Math.round((count / most) * HEIGHT));
    return html`<rect
      x="${index * WIDTH}"
      y="${HEIGHT - height}"
      width="${WIDTH - 1}"
      height="${height}"
      ${count <= 0 && html`class="none"`}
    />`;
  });
  const width = counts.length * WIDTH;
  return html`<svg
    class="spark"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${width} ${HEIGHT}"
    width="${width}"
    height="${HEIGHT}"
  >
    ${bars}
  </svg>`;
}
