import { task } from '#kernel/threads/thread-task.js';
import { matchNames, type MatchedNames } from './match-names.js';

/** Matches names with a regular expression in a thread. */
export default task<Parameters<typeof matchNames>[0], MatchedNames>(matchNames);
