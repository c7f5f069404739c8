import { Injectable } from '@nestjs/common';
import { html } from '#kernel/html/html.js';
import { OverBudget } from '#kernel/threads/over-budget.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import type renderTask from './render-markdown.task.js';
import { renderMarkdown } from './render-markdown.js';
import type { WikiFormat } from '../pages/wiki-formats.js';

/**
 * Limit of characters rendered in this thread: a few milliseconds in the worst case. Longer texts are
 * rendered in another.
 */
const SHORT = 4 * 1024;
/** Limit of cells of a table that such a text may have: each short line may become a row with all columns. */
const FEW_CELLS = 2_000;
/** Limit of characters that are rendered at all. */
const MAX_RENDERED = 256 * 1024;

/** Front matter of a page. */
const FRONT_MATTER = /^---[ \t]*\r?\n[^]*?\r?\n---[ \t]*(\r?\n|$)/;

/** Renders the content of pages to HTML. */
@Injectable()
export class WikiPageHtmlPresenter {
  constructor(private readonly threads: ThreadsService) {}

  /**
   * Renders a page to safe HTML: Markdown is rendered, other formats and texts that take too long, or
   * would become too long, are shown as written.
   * @throws 429 and 503 if too much is being rendered at the moment
   */
  async render(content: string, format: WikiFormat): Promise<string> {
    if (format !== 'markdown' || content.length > MAX_RENDERED) return asWritten(content);
    const text = content.replace(FRONT_MATTER, '');
    if (isQuick(text)) return renderMarkdown(text) ?? asWritten(content);
    try {
      return (await this.threads.run<typeof renderTask>('render-markdown', text)) ?? asWritten(content);
    } catch (error) {
      if (error instanceof OverBudget) return asWritten(content);
      throw error;
    }
  }
}

function isQuick(text: string): boolean {
  if (text.length > SHORT) return false;
  if (!text.includes('|')) return true;
  const lines = text.split(/\r\n?|\n/);
  return lines.length * Math.max(...lines.map((line) => line.split('|').length)) <= FEW_CELLS;
}

const asWritten = (content: string): string => html`<pre>${content}</pre>`.toString();
