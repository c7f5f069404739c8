import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** Lowers the CPU priority of the threads of a process and of those that it will start. */
export type Priority = (pid: number) => void;

/** A tenth of a core that others also want. */
export const belowNormal: Priority = (pid) => setNice(pid, constants.priority.PRIORITY_BELOW_NORMAL);

/**
 * Only otherwise idle CPU time (sched(7), SCHED_IDLE): a process that wakes up gets the core at once, whereas
 * a merely nice process may first use up its time slice. Systems without `chrt` use the highest nice value
 * instead.
 */
export const idle: Priority = (pid) => {
  setNice(pid, constants.priority.PRIORITY_LOW);
  try {
    spawn('chrt', ['-a', '-i', '-p', '0', String(pid)], { stdio: 'ignore' })
      .on('error', () => undefined)
      .unref();
  } catch {
    // The system has no memory for another process.
  }
};

function setNice(pid: number, nice: number): void {
  try {
    setPriority(pid, nice);
  } catch {
    // The process has already exited, or the system has no priorities: the work is done all the same.
  }
}
