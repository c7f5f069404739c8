/**
 * Jobs that are handed over or running, as a subquery. Only the index of leases has them in this order: analyzed while all jobs were running,
 * the table would otherwise be read as a whole, however many wait in it by now.
 */
export const leasedSql = (columns: string, state: 'handed' | 'running'): string =>
  `(select ${columns} from background_jobs where state = '${state}' order by lease_until)`;
