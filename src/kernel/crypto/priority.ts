import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** Gives the threads of a process, and those that it will start, less of the processors. */
export type Priority = (pid: number) => void;

/** A tenth of a core that others want as well. */
export const belowNormal: Priority = (pid) => setNice(pid, constants.priority.PRIORITY_BELOW_NORMAL);

/**
 * Only what nobody else wants (sched(7), SCHED_IDLE): what wakes up takes the core at once, where a merely nice process may first use up its
 * slice. Systems without `chrt` have the nicest process instead.
 */
export const idle: Priority = (pid) => {
  setNice(pid, constants.priority.PRIORITY_LOW);
  spawn('chrt', ['-a', '-i', '-p', '0', String(pid)], { stdio: 'ignore' })
    .on('error', () => undefined)
    .unref();
};

function setNice(pid: number, nice: number): void {
  try {
    setPriority(pid, nice);
  } catch {
    // It is gone already, or the system knows no priorities: the work is done all the same.
  }
}
