import { Injectable } from '@nestjs/common';
import { html } from '#kernel/html/html.js';
import { OverBudget } from '#kernel/threads/over-budget.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import type renderTask from './render-markdown.task.js';
import { renderMarkdown } from './render-markdown.js';
import type { WikiFormat } from '../pages/wiki-formats.js';

/** Characters that are rendered at once: a few milliseconds for the worst. A thread renders longer texts. */
const SHORT = 4 * 1024;
/** Longer texts are shown as they are. */
const MAX_RENDERED = 256 * 1024;

/** Settings of a page that stand before its text. */
const FRONT_MATTER = /^---[ \t]*\r?\n[^]*?\r?\n---[ \t]*(\r?\n|$)/;

/** Makes HTML of the content of pages. */
@Injectable()
export class WikiPageHtmlPresenter {
  constructor(private readonly threads: ThreadsService) {}

  /**
   * The content of a page as HTML that is safe to show: Markdown is rendered, all else stands there as written, and so does what takes too long.
   * @throws 429 and 503 when too much is being rendered already
   */
  async render(content: string, format: WikiFormat): Promise<string> {
    if (format !== 'markdown' || content.length > MAX_RENDERED) return asWritten(content);
    const text = content.replace(FRONT_MATTER, '');
    if (text.length <= SHORT) return renderMarkdown(text);
    try {
      return await this.threads.run<typeof renderTask>('render-markdown', text);
    } catch (error) {
      if (error instanceof OverBudget) return asWritten(content);
      throw error;
    }
  }
}

const asWritten = (content: string): string => html`<pre>${content}</pre>`.toString();
