import { Gauge } from 'prom-client';
import { metrics } from './metrics.js';

const registers = [metrics];

/**
 * Registers a gauge that is evaluated whenever metrics are read, replacing any of the same name. Values of
 * several processes are summed up; with `max` they are a single value that each of them reads.
 */
export function registerGauge(
  name: string,
  help: string,
  read: () => number | Promise<number>,
  together: 'sum' | 'max' = 'sum',
): void {
  metrics.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers,
    aggregator: together,
    async collect() {
      // One failing source must not hide all other metrics.
      this.set(
        await Promise.resolve()
          .then(read)
          .catch(() => Number.NaN),
      );
    },
  });
}

/** Figures of a connection pool, as in `pg.Pool`. */
export interface PoolFigures {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

const pools = new Map<string, () => PoolFigures>();

/** Exports a connection pool as db_pool_{size,idle,waiting}{pool}. */
export function registerPool(pool: string, read: () => PoolFigures): void {
  pools.set(pool, read);
}

function poolGauge(name: string, help: string, figure: (figures: PoolFigures) => number): void {
  new Gauge({
    name,
    help,
    labelNames: ['pool'] as const,
    registers,
    collect() {
      for (const [pool, read] of pools) this.set({ pool }, figure(read()));
    },
  });
}
poolGauge('db_pool_size', 'Open database connections', (figures) => figures.totalCount);
poolGauge('db_pool_idle', 'Idle database connections', (figures) => figures.idleCount);
poolGauge(
  'db_pool_waiting',
  'Requests that wait for a database connection',
  (figures) => figures.waitingCount,
);

/** Figures of a bounded number of slots for some work. */
export interface SlotFigures {
  readonly running: number;
  readonly waiting: number;
}

/** By work and kind. */
const slots = new Map<string, Map<string, SlotFigures>>();

/** Exports slots as `<work>_processes_{running,waiting}{kind}`. */
export function registerSlots(work: string, kind: string, figures: SlotFigures): void {
  const kinds = slots.get(work) ?? slotGauges(work);
  kinds.set(kind, figures);
}

function slotGauges(work: string): Map<string, SlotFigures> {
  const kinds = new Map<string, SlotFigures>();
  slots.set(work, kinds);
  for (const state of ['running', 'waiting'] as const)
    new Gauge({
      name: `${work}_processes_${state}`,
      help: `Processes of ${work} that are ${state}, by kind of work`,
      labelNames: ['kind'] as const,
      registers,
      collect() {
        for (const [kind, figures] of kinds) this.set({ kind }, figures[state]);
      },
    });
  return kinds;
}
