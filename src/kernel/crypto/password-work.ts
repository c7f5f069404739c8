import { within } from '#kernel/time/within.js';
import { PasswordProcess, type PasswordTask } from './password-process.js';
import { belowNormal, idle } from './priority.js';

/** A hash of some 20 ms that is not there by then gets no processor: all are busy with others. */
const PATIENCE_MS = 300;

/** For so long nothing is left to what others leave over, once that was too little. */
const HURRY_MS = 10_000;

/**
 * Works on passwords in the time that all other requests leave over (measured: p99 of a list beside 50 sign-ins), and, where they leave too
 * little, in a share of its own: a service under full load must not keep everybody out.
 */
export class PasswordWork {
  private hurriedUntil = 0;

  constructor(
    private readonly patient: Pick<PasswordProcess, 'run'> = new PasswordProcess(idle),
    private readonly hurried: Pick<PasswordProcess, 'run'> = new PasswordProcess(belowNormal),
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** The result of argon2's function. */
  async run(task: PasswordTask): Promise<unknown> {
    if (performance.now() < this.hurriedUntil) return this.hurried.run(task);
    const patient = this.patient.run(task);
    return within(this.patienceMs, patient, () => {
      this.hurriedUntil = performance.now() + HURRY_MS;
      return this.hurried.run(task);
    });
  }
}
