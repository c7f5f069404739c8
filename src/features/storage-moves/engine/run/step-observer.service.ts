import { Injectable } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';

/** Points of a move at which a process can be lost, in their order. `placed` is reached before the transaction of `replicated` commits. */
export const MOVE_STEPS = [
  'started',
  'waited',
  'copied',
  'verified',
  'placed',
  'replicated',
  'removed',
  'finished',
] as const;

/** Name of such a point. */
export type MoveStep = (typeof MOVE_STEPS)[number];

/**
 * Told whenever a step is done and stored. It does nothing, except under NODE_ENV=test with STORAGE_MOVE_FAULT=<step>:<signal>, when the
 * process sends itself that signal: how a worker dies (SIGKILL) or stands still (SIGSTOP) at exactly that point.
 */
@Injectable()
export class StepObserverService {
  constructor(private readonly config: Config) {}

  reached(step: MoveStep, _moveId: number): Promise<void> | void {
    if (this.config.NODE_ENV !== 'test' || this.config.STORAGE_MOVE_FAULT === undefined) return;
    const [faulty, signal] = this.config.STORAGE_MOVE_FAULT.split(':');
    if (faulty !== step) return;
    process.kill(process.pid, signal);
    // A signal to oneself arrives a moment later; nothing may happen in it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}
