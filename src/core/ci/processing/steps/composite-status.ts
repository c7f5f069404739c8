import type { CiStatus } from '../../jobs/job-status.js';

/** Facts of a job that determine the status of its stage or pipeline. */
export interface StatusPart {
  readonly status: CiStatus;
  readonly allowFailure: boolean;
}

/** Statuses of jobs that are not active. */
const IDLE: readonly CiStatus[] = ['created', 'skipped', 'manual', 'scheduled'];

/**
 * Computes the common status of jobs, as of a stage or pipeline: allowed failures count as success, manual
 * jobs that may fail as skipped.
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
