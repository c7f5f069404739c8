import type { ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';

/** Sends a signal to a process that leads a group, and to all that it has started. */
export function killGroup({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of it has already ended.
  }
}

/** Lowers the priority of a process and of all that it will start. */
export function giveWay({ pid }: Pick<ChildProcess, 'pid'>, niceness: number): void {
  try {
    if (pid !== undefined && niceness > 0) setPriority(pid, niceness);
  } catch {
    // It has already ended.
  }
}
