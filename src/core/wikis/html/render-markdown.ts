import type MarkdownIt from 'markdown-it';
import { library } from '#kernel/libraries/library.js';

const markdownIt = library('markdown-it');

type Renderer = InstanceType<typeof MarkdownIt>;

let renderer: Renderer | undefined;

/**
 * Renders Markdown to HTML: embedded HTML becomes text, links are limited to safe schemes, and nesting is
 * bounded.
 */
export function renderMarkdown(text: string): string {
  renderer ??= new (markdownIt())({ html: false, maxNesting: 20 });
  return renderer.render(text);
}
