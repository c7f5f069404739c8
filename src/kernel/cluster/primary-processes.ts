import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { logger } from '#kernel/log/logger.js';
import { within } from '#kernel/time/within.js';
import { forkProcess } from './fork-process.js';
import { HungWatch } from './hung-watch.js';
import { PrimaryDesk, tell } from './primary-desk.js';
import { Slot } from './slot.js';

/** Exit code of a process that cannot start; the reason is in its last log lines. */
const CANNOT_START = 1;

/** Exit code for the end of a process by a signal. */
const KILLED = 70;

/** Options of the primary. */
export interface PrimaryOptions {
  /** Number of API processes. */
  readonly api: number;
  /** Whether one more process runs jobs. */
  readonly hasWorker: boolean;
  /** Environment of the processes, in addition to that of the primary. */
  readonly environment: Readonly<Record<string, string>>;
  /** A process started while others serve that is not working within this time is killed. */
  readonly startMs: number;
  /** A process that does not exit within this time after the signal is killed. */
  readonly stopMs: number;
  /** Interval of the calls to which a process has to respond. */
  readonly callMs?: number;
  /** A process has failed for good: everything ends with this code. */
  readonly onFailure: (code: number) => void;
}

/** Keeps the processes of one machine running: restarts those that exit, and replaces them one by one. */
export class PrimaryProcesses {
  private readonly slots: Slot[];
  private readonly desk = new PrimaryDesk(all);
  private readonly hung: HungWatch;
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
    this.slots = kinds.map((kind) => new Slot(kind));
    this.hung = new HungWatch(options.callMs);
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
    for (const slot of this.slots) slot.cancel();
    await Promise.all(all().map((worker) => this.end(worker, () => void worker.process.kill('SIGTERM'))));
  }

  /** Resolves once the process of the slot is working; one that exits earlier is restarted like any other. */
  private begin(slot: Slot): Promise<void> {
    return new Promise((resolve) => this.run(slot, resolve));
  }

  private run(slot: Slot, onReady: () => void): void {
    // A rolling restart fills the slot, or has filled it.
    if (this.isStopping || slot.worker || slot.isBeingReplaced) return;
    const worker = this.fork(slot, this.isStarted, (begun) => {
      // A replacement may have been faster.
      if (slot.worker === begun) slot.works(begun);
      onReady();
    });
    slot.worker = worker ?? undefined;
    if (worker) this.restartWhenEnded(slot, worker, onReady);
    else this.restart(slot, KILLED, null, onReady);
  }

  /** `isLimited`: a first start may take long, since it changes the database. */
  private fork({ kind }: Slot, isLimited: boolean, onReady: (worker: Worker) => void): Worker | null {
    const worker = forkProcess(kind, this.options.environment);
    if (!worker) return null;
    const kill = (): void => void worker.process.kill('SIGKILL');
    const timer = isLimited ? setTimeout(kill, this.options.startMs) : undefined;
    worker.once('exit', () => clearTimeout(timer));
    this.desk.serve(worker, () => {
      clearTimeout(timer);
      this.hung.watch(worker);
      onReady(worker);
    });
    return worker;
  }

  private restartWhenEnded(slot: Slot, worker: Worker, onReady: () => void): void {
    worker.once('exit', (code, signal) => {
      if (slot.worker === worker) this.restart(slot, code, signal, onReady);
    });
  }

  private restart(slot: Slot, code: number | null, signal: string | null, onReady: () => void): void {
    if (this.isStopping) return;
    slot.failed();
    if (this.mayRestart(slot, code, signal)) slot.later(() => this.run(slot, onReady));
  }

  /**
   * Whether restarting a process can help. What could start once may do so again: while requests are served,
   * the cause, such as a full disk, ends no other process.
   */
  private mayRestart(slot: Slot, code: number | null, signal: string | null): boolean {
    const how = `The ${slot.kind} process ended unexpectedly (${signal ?? `exit code ${code}`})`;
    const isHopeless = code === CANNOT_START && !this.isStarted;
    if (!isHopeless && !this.isExhausted(slot)) {
      process.stderr.write(`${how}: restarting it in ${slot.pauseMs / 1_000} s.\n`);
      return true;
    }
    if (!isHopeless)
      process.stderr.write(
        `${how}, for the ${slot.failures}th time in a row: giving up. The lines above say why.\n`,
      );
    this.options.onFailure(code || KILLED);
    return false;
  }

  /** Before all processes have started, one that cannot is enough; later, no other one must be left. */
  private isExhausted(slot: Slot): boolean {
    if (!this.isStarted) return slot.isExhausted;
    const serving = this.slots.filter(({ kind }) => kind === 'api');
    return slot.isExhausted && serving.every((one) => !one.serves && one.isExhausted);
  }

  /** Whether the process was replaced; if its replacement cannot start, it stays. */
  private async replace(slot: Slot): Promise<boolean> {
    slot.isBeingReplaced = true;
    const former = await new Promise<Worker | 'none' | 'failed'>((resolve) => {
      const started = this.fork(slot, true, (next) => {
        // Not the one from the beginning, which may have ended in the meantime.
        const current = slot.worker;
        slot.works(next);
        this.restartWhenEnded(slot, next, () => undefined);
        resolve(current ?? 'none');
      });
      if (started) started.once('exit', () => resolve('failed'));
      else resolve('failed');
    });
    slot.isBeingReplaced = false;
    if (former === 'failed') this.keep(slot);
    else if (former !== 'none') await this.end(former, () => tell(former, { does: 'retire' }));
    return former !== 'failed';
  }

  /** Continues with the process whose replacement has failed, and restarts one that has ended since. */
  private keep(slot: Slot): void {
    if (this.isStopping) return;
    logger.error(
      { kind: slot.kind },
      'The replacement process could not start: the old processes keep running',
    );
    if (!slot.worker) slot.later(() => this.run(slot, () => undefined));
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
