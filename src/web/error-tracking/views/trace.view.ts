import { html, type Html } from '#kernel/html/html.js';
import type { ShownException } from '../events/shown-event.js';
import type { ShownFrame, ShownLine } from '../events/shown-frame.js';

/** Renders exceptions call by call, each with the code around it. No value becomes a link. */
export function stackTraces(exceptions: readonly ShownException[]): Html {
  return html`${exceptions.map(
    ({ type, value, frames }, index) =>
      html`<section class="trace">
        <h3>${type === null ? 'Stack trace' : [index > 0 ? 'Caused by ' : '', type]}</h3>
        ${type !== null && value !== null && html`<p class="said">${value}</p>`}
        ${
          frames.length === 0
            ? html`<p class="muted">Without a stack trace.</p>`
            : html`<ol class="frames">
                ${frames.map((frame) => html`<li>${frameView(frame, isOpen(frame, frames))}</li>`)}
              </ol>`
        }
      </section>`,
  )}`;
}

/** Frames of the application itself are expanded; if there are none, the innermost call is. */
const isOpen = (frame: ShownFrame, frames: readonly ShownFrame[]): boolean =>
  frames.some(({ isOwn }) => isOwn) ? frame.isOwn : frame === frames[0];

function frameView(frame: ShownFrame, isShown: boolean): Html {
  const { file, line, column, isOwn, lines } = frame;
  const position = [file ?? '?', line, column].filter((part) => part !== null).join(':');
  const head = html`<code>${position}</code
    >${frame.function !== null && html` in <code>${frame.function}</code>`}
    ${isOwn && html`<span class="badge">own code</span>`}`;
  if (lines.length === 0) return html`<div class="frame">${head}</div>`;
  return html`<details class="frame" ${isShown && html`open`}>
    <summary>${head}</summary>
    <div class="code" role="group" aria-label="Code at ${position}" tabindex="0">
      <ol>
        ${lines.map(lineView)}
      </ol>
    </div>
  </details>`;
}

const lineView = ({ number, text, isCurrent }: ShownLine): Html =>
  html`<li ${number !== null && html`value="${number}"`} ${isCurrent && html`class="current"`}>
    <code>${text}</code>
  </li>`;
