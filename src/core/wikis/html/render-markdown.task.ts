import { task } from '#kernel/threads/thread-task.js';
import { renderMarkdown } from './render-markdown.js';

/** Renders a long text; its HTML. */
export default task<string, string>(renderMarkdown);
