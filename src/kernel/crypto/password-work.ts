import { within } from '#kernel/time/within.js';
import { PasswordProcess, type PasswordTask } from './password-process.js';
import { belowNormal, idle } from './priority.js';

/** A hash takes some 20 ms; if it takes longer than this, all cores are busy with other work. */
const PATIENCE_MS = 300;

/** After that, hashing runs at a higher priority for this long. */
const HURRY_MS = 10_000;

/**
 * Hashes passwords with idle CPU time (measured: p99 of a list during 50 sign-ins) and, if there is too
 * little of it, with a reserved share: users must be able to sign in even under full load.
 */
export class PasswordWork {
  private hurriedUntil = 0;

  constructor(
    private readonly patient: Pick<PasswordProcess, 'run'> = new PasswordProcess(idle),
    private readonly hurried: Pick<PasswordProcess, 'run'> = new PasswordProcess(belowNormal),
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** Returns the result of argon2's function. */
  async run(task: PasswordTask): Promise<unknown> {
    if (performance.now() < this.hurriedUntil) return this.hurried.run(task);
    const patient = this.patient.run(task);
    return within(this.patienceMs, patient, () => {
      this.hurriedUntil = performance.now() + HURRY_MS;
      return this.hurried.run(task);
    });
  }
}
