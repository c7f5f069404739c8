import { task } from '#kernel/threads/thread-task.js';
import { coverageIn } from './coverage.js';

/** Extracts the coverage from the end of a trace in a thread. */
export default task<Parameters<typeof coverageIn>[0], number | null>(coverageIn);
