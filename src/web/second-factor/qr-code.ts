import { html, type Html } from '#kernel/html/html.js';
import { library } from '#kernel/libraries/library.js';

const uqr = library('uqr');

/** Light modules around the code, without which cameras do not detect it (ISO/IEC 18004, 5.3.8). */
const QUIET_ZONE = 4;

/**
 * Renders a QR code as an inline image. It stays dark on light in dark mode too, or cameras could not read
 * it.
 */
export function qrCode(text: string, label: string): Html {
  const { data, size } = uqr().encode(text, { ecc: 'M', border: 0 });
  const path = data
    .flatMap((modules, row) => modules.map((isDark, column) => (isDark ? `M${column} ${row}h1v1h-1z` : '')))
    .join('');
  const width = size + 2 * QUIET_ZONE;
  return html`<svg
    role="img"
    aria-label="${label}"
    width="${width * 5}"
    height="${width * 5}"
    viewBox="-${QUIET_ZONE} -${QUIET_ZONE} ${width} ${width}"
    shape-rendering="crispEdges"
  >
    <rect x="-${QUIET_ZONE}" y="-${QUIET_ZONE}" width="${width}" height="${width}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`;
}
