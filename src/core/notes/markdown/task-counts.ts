import { linesOutsideFences } from './markdown-lines.js';

/** Numbers of task items in a description, and of completed ones. */
export interface TaskCounts {
  readonly count: number;
  readonly completed: number;
}

const TASK = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\](?:[ \t]|$)/;

/** Counts the items `- [ ]` and `- [x]` of a Markdown text, outside of code blocks. */
export function taskCounts(description: string | null): TaskCounts {
  let count = 0;
  let completed = 0;
  if (!description?.includes('[')) return { count, completed };
  for (const line of linesOutsideFences(description)) {
    const box = TASK.exec(line)?.[1];
    if (box === undefined) continue;
    count += 1;
    if (box !== ' ') completed += 1;
  }
  return { count, completed };
}
