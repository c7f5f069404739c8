import type MarkdownIt from 'markdown-it';
import { html } from '#kernel/html/html.js';
import { library } from '#kernel/libraries/library.js';
import type { WikiFormat } from './wiki-formats.js';

const markdownIt = library('markdown-it');

type Renderer = InstanceType<typeof MarkdownIt>;

let renderer: Renderer | undefined;

function markdown(): Renderer {
  // HTML in a page is text, links lead nowhere but to what browsers show, and depth is bounded.
  renderer ??= new (markdownIt())({ html: false, maxNesting: 20 });
  return renderer;
}

/** Longer texts are shown as they are: rendering blocks this process, half a second for the worst that fits in here. */
const MAX_RENDERED = 256 * 1024;

/** Settings of a page that stand before its text. */
const FRONT_MATTER = /^---[ \t]*\r?\n[^]*?\r?\n---[ \t]*(\r?\n|$)/;

/** The content of a page as HTML that is safe to show: Markdown is rendered, all else stands there as written. */
export function renderWikiPage(content: string, format: WikiFormat): string {
  if (format !== 'markdown' || content.length > MAX_RENDERED) return html`<pre>${content}</pre>`.toString();
  return markdown().render(content.replace(FRONT_MATTER, ''));
}
