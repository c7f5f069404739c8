import { html, type Html, type Interpolation } from '#kernel/html/html.js';

/** Renders a table that scrolls sideways if too wide, or a message if it has no rows. */
export function dataTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Interpolation[])[],
  empty = 'Nothing here yet.',
): Html {
  const body =
    rows.length === 0
      ? html`<tr>
          <td class="empty" colspan="${heads.length}">${empty}</td>
        </tr>`
      : rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        );
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}
