import { Counter } from 'prom-client';
import { metrics } from '#kernel/log/metrics.js';

const ended = new Counter({
  name: 'storage_moves_total',
  help: 'Moves of repositories between storages, by how they ended',
  labelNames: ['state'] as const,
  registers: [metrics],
});

/** Counts a finished move. */
export const countMove = (state: 'finished' | 'failed' | 'cleanup_failed'): void => ended.inc({ state });
