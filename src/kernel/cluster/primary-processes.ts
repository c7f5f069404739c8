import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { logger } from '#kernel/log/logger.js';
import { within } from '#kernel/time/within.js';
import { PrimaryDesk, tell } from './primary-desk.js';

/** Limit of restarts of a process within a period; if it exits more often, restarting does not help. */
const RESTARTS = 3;
const WITHIN_MS = 60_000;
const PAUSE_MS = 500;

/** Exit code of a process that cannot start; the reason is in its last log lines. */
const CANNOT_START = 1;

/** A slot for a process, with its current process and the times of its restarts. */
interface Slot {
  readonly kind: 'api' | 'worker';
  readonly restarts: number[];
  worker: Worker | undefined;
}

/** Options of the primary. */
export interface PrimaryOptions {
  /** Number of API processes. */
  readonly api: number;
  /** Whether one more process runs jobs. */
  readonly hasWorker: boolean;
  /** Environment of the processes, in addition to that of the primary. */
  readonly environment: Readonly<Record<string, string>>;
  /** A replacement process that is not working within this time is killed. */
  readonly startMs: number;
  /** A process that does not exit within this time when told to is killed. */
  readonly stopMs: number;
  /** A process has failed for good: everything ends with this code. */
  readonly onFailure: (code: number) => void;
}

/** Keeps the processes of one machine running: restarts those that exit, and replaces them one by one. */
export class PrimaryProcesses {
  private readonly slots: Slot[];
  private readonly desk = new PrimaryDesk(all);
  private isStarted = false;
  private isStopping = false;
  private rolling: Promise<void> = Promise.resolve();
  private waitingRolls = 0;

  constructor(private readonly options: PrimaryOptions) {
    const { api, hasWorker } = options;
    const kinds = [
      ...Array.from({ length: api }, () => 'api' as const),
      ...(hasWorker ? ['worker' as const] : []),
    ];
    this.slots = kinds.map((kind) => ({ kind, restarts: [], worker: undefined }));
  }

  /** Resolves once all processes are working. */
  async start(): Promise<void> {
    await Promise.all(this.slots.map((slot) => this.begin(slot)));
    this.isStarted = true;
  }

  /**
   * Rolling restart: replaces the processes one after another, each once its replacement is serving;
   * `prepare` runs first. A restart requested in the meantime runs afterwards. @throws the error of
   * `prepare`, in which case the processes stay
   */
  roll(prepare: () => Promise<void>): Promise<void> {
    if (this.waitingRolls > 0) return this.rolling;
    this.waitingRolls += 1;
    // A failed restart, for example because of a failed build, is reported by its own caller.
    return (this.rolling = this.rolling
      .catch(() => undefined)
      .then(async () => {
        this.waitingRolls -= 1;
        await prepare();
        for (const slot of this.slots) if (!this.isStopping && !(await this.replace(slot))) return;
        if (!this.isStopping) logger.info('All processes were replaced');
      }));
  }

  /** Shuts down all processes, and kills those that do not exit. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(all().map((worker) => this.end(worker, () => void worker.process.kill('SIGTERM'))));
  }

  /** Resolves once the process of the slot is working; one that exits earlier is restarted like any other. */
  private begin(slot: Slot): Promise<void> {
    return new Promise((resolve) => {
      const start = (): void => {
        // A rolling restart may have filled the slot in the meantime.
        if (this.isStopping || slot.worker) return;
        const worker = this.fork(slot, resolve);
        slot.worker = worker;
        worker.once('exit', (code, signal) => {
          if (slot.worker !== worker || this.isStopping) return;
          slot.worker = undefined;
          if (this.mayRestart(slot, code, signal)) setTimeout(start, PAUSE_MS);
        });
      };
      start();
    });
  }

  private fork({ kind }: Slot, onReady: () => void): Worker {
    const worker = cluster.fork({ ...this.options.environment, PROCESS: kind });
    worker.on('error', (error) => logger.error({ error, kind }, 'A process cannot be reached'));
    this.desk.serve(worker, onReady);
    return worker;
  }

  private mayRestart({ kind, restarts }: Slot, code: number | null, signal: string | null): boolean {
    const how = `The ${kind} process ended unexpectedly (${signal ?? `exit code ${code}`})`;
    const now = Date.now();
    while ((restarts[0] ?? now) <= now - WITHIN_MS) restarts.shift();
    // What could start once may do so again, so a temporary outage of the database ends no other process.
    const isHopeless = code === CANNOT_START && !this.isStarted;
    if (!isHopeless && restarts.length < RESTARTS) {
      restarts.push(now);
      process.stderr.write(
        `${how}: restarting it (${restarts.length} of at most ${RESTARTS} restarts a minute).\n`,
      );
      return true;
    }
    if (!isHopeless)
      process.stderr.write(
        `${how}, for the ${RESTARTS + 1}th time within a minute: giving up. The lines above say why.\n`,
      );
    this.options.onFailure(code ?? 70);
    return false;
  }

  /** Whether the process was replaced; if its replacement cannot start, it stays. */
  private async replace(slot: Slot): Promise<boolean> {
    const former = slot.worker;
    const isReady = await new Promise<boolean>((resolve) => {
      const next = this.fork(slot, () => {
        clearTimeout(timer);
        slot.worker = next;
        resolve(true);
      });
      const timer = setTimeout(() => next.process.kill('SIGKILL'), this.options.startMs);
      next.once('exit', (code, signal) => {
        clearTimeout(timer);
        if (slot.worker !== next) resolve(false);
        else if (!this.isStopping) {
          slot.worker = undefined;
          if (this.mayRestart(slot, code, signal)) setTimeout(() => void this.begin(slot), PAUSE_MS);
        }
      });
    });
    if (!isReady && !this.isStopping) {
      logger.error(
        { kind: slot.kind },
        'The replacement process could not start: the old processes keep running',
      );
    }
    if (isReady && former) await this.end(former, () => tell(former, { does: 'retire' }));
    return isReady;
  }

  private async end(worker: Worker, ask: () => void): Promise<void> {
    if (worker.isDead()) return;
    const ended = once(worker, 'exit');
    ask();
    await within(this.options.stopMs, ended, () => {
      worker.process.kill('SIGKILL');
      return ended;
    });
  }
}

const all = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
