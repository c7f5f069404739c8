import { linesOutsideFences } from './markdown-lines.js';

/** How many boxes a description has to tick, and how many are ticked. */
export interface TaskCounts {
  readonly count: number;
  readonly completed: number;
}

const TASK = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\](?:[ \t]|$)/;

/** Counts the items `- [ ]` and `- [x]` of a Markdown text, outside of blocks of code. */
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
