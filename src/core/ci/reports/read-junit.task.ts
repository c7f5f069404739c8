import { task } from '#kernel/threads/thread-task.js';
import { readJunit, type ReadReport } from './read-junit.js';

/** Reads a gzipped JUnit report. */
export default task<Uint8Array, ReadReport>(readJunit);
