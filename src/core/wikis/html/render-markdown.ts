import type MarkdownIt from 'markdown-it';
import { library } from '#kernel/libraries/library.js';

const markdownIt = library('markdown-it');

type Renderer = InstanceType<typeof MarkdownIt>;

let renderer: Renderer | undefined;

/** Markdown as HTML: HTML in it is text, links lead nowhere but to what browsers show, and depth is bounded. */
export function renderMarkdown(text: string): string {
  renderer ??= new (markdownIt())({ html: false, maxNesting: 20 });
  return renderer.render(text);
}
