import type MarkdownIt from 'markdown-it';
import { library } from '#kernel/libraries/library.js';

const markdownIt = library('markdown-it');

type Renderer = InstanceType<typeof MarkdownIt>;

let renderer: Renderer | undefined;

/** Limit of characters of all links: each use of a reference repeats its link, so that they may take thousands of times the text. */
const MAX_LINKS = 2 * 1024 * 1024;

/**
 * Renders Markdown to HTML: embedded HTML becomes text, links are limited to safe schemes, and nesting is
 * bounded. Null if the HTML would be too long.
 */
export function renderMarkdown(text: string): string | null {
  renderer ??= new (markdownIt())({ html: false, maxNesting: 20 });
  const env = {};
  const tokens = renderer.parse(text, env);
  return lengthOfLinks(tokens) > MAX_LINKS ? null : renderer.renderer.render(tokens, renderer.options, env);
}

function lengthOfLinks(tokens: ReturnType<Renderer['parse']>): number {
  let length = 0;
  for (const { attrs, children } of tokens) {
    for (const [, value] of attrs ?? []) length += String(value).length;
    if (children) length += lengthOfLinks(children);
  }
  return length;
}
