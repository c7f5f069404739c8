import { task } from '#kernel/threads/thread-task.js';
import { readJunit, type ReadReport } from './read-junit.js';

/** Parses a gzipped JUnit report in a thread. */
export default task<Uint8Array, ReadReport>(readJunit);
