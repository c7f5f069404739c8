import { html, type Html, type Interpolation } from '#kernel/html/html.js';

/** Renders facts as a list of terms with their values; facts without a value are left out. */
export const factList = (facts: readonly (readonly [string, Interpolation])[]): Html =>
  html`<dl class="facts">
    ${facts.map(
      ([term, fact]) =>
        fact !== null &&
        html`<dt>${term}</dt>
          <dd>${fact}</dd>`,
    )}
  </dl>`;
