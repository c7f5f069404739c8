import { html, type Html } from '#kernel/html/html.js';
import { SCRIPT } from '../assets/script.js';
import { STYLE } from '../assets/style.js';

/** Parts of every document. */
export interface DocumentParts {
  readonly title: string;
  /** Navigation next to the product name. */
  readonly navigation?: Html | null;
  readonly main: Html;
  /** Whether to use the full width, for tables and long forms. */
  readonly wide?: boolean | undefined;
}

const mark = html`<svg viewBox="2 3 20 16" fill="currentColor" aria-hidden="true">
  <path d="M3 9h10l2-3h6l-3 5h-4l-1 3 3 5H5l3-5-1-2c-2 0-4-1-4-3Z" />
</svg>`;

/** Renders a whole document around its main part: head, skip link, header, main. */
export function htmlDocument({ title, navigation, main, wide }: DocumentParts): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - Forgeplane</title>
        <link rel="stylesheet" href="${STYLE.path}" />
        <link rel="icon" href="data:," />
        <script src="${SCRIPT.path}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="bar">
          <div class="bar-inner"><a class="brand" href="/">${mark}Forgeplane</a>${navigation}</div>
        </header>
        <main id="main" tabindex="-1" class="${wide ? 'wide' : ''}">${main}</main>
      </body>
    </html> `;
}
