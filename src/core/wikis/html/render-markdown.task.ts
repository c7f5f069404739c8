import { task } from '#kernel/threads/thread-task.js';
import { renderMarkdown } from './render-markdown.js';

/** Renders a long text to HTML in a thread. */
export default task<string, string | null>(renderMarkdown);
