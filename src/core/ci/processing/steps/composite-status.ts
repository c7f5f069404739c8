import type { CiStatus } from '../../jobs/job-status.js';

/** What counts of a job for the status of what it is part of. */
export interface StatusPart {
  readonly status: CiStatus;
  readonly allowFailure: boolean;
}

/** Statuses of jobs that take no part. */
const IDLE: readonly CiStatus[] = ['created', 'skipped', 'manual', 'scheduled'];

/**
 * The status that jobs have together (of a pipeline, of a stage): allowed failures count as successes, manual jobs that may fail as left
 * out.
 */
export function compositeStatus(parts: readonly StatusPart[]): CiStatus {
  const statuses = parts.map(({ status, allowFailure }): CiStatus => {
    if (allowFailure && (status === 'failed' || status === 'canceled')) return 'success';
    return allowFailure && status === 'manual' ? 'skipped' : status;
  });
  const has = (status: CiStatus): boolean => statuses.includes(status);
  const all = (...wanted: CiStatus[]): boolean => statuses.every((status) => wanted.includes(status));
  if (statuses.length === 0 || all('skipped')) return 'skipped';
  if (all('success', 'skipped')) return 'success';
  if (all('created')) return 'created';
  if (all('success', 'skipped', 'canceled')) return 'canceled';
  if (has('preparing') && all('preparing', ...IDLE)) return 'preparing';
  if (has('pending') && all('pending', ...IDLE)) return 'pending';
  if (has('running') || has('pending')) return 'running';
  if (has('waiting_for_resource')) return 'waiting_for_resource';
  if (has('manual')) return 'manual';
  if (has('scheduled')) return 'scheduled';
  if (has('preparing')) return 'preparing';
  if (has('created')) return 'running';
  if (has('failed')) return 'failed';
  return 'canceled';
}
