import type { Job } from '../jobs/job.entity.js';

const nameOf = ({ environment }: Pick<Job, 'environment'>): string => environment ?? '';

/**
 * Returns jobs in the order in which their environments are to be locked, that of the names, as for new
 * pipelines: two pipelines with the same environments in another order would wait for each other.
 */
export const inLockOrder = <One extends Pick<Job, 'environment'>>(jobs: readonly One[]): readonly One[] =>
  [...jobs].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
