import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { CiVariable } from '#core/ci/jobs/definition/job-definition.js';

/** With these, a runner writes all variables of the job, or the output of its services, into the trace. */
const SWITCHES = ['CI_DEBUG_TRACE', 'CI_DEBUG_SERVICES'];

/**
 * Values that runners treat as false, and the empty one. A value with variables counts as true, since only
 * runners expand it.
 */
const OFF = /^(0|f|false)?$/i;

/**
 * Returns whether a job with these variables may reveal secrets in its trace; the last of duplicate keys
 * wins.
 */
function tellsSecrets(variables: readonly CiVariable[]): boolean {
  return SWITCHES.some((key) => !OFF.test(variables.findLast((one) => one.key === key)?.value.trim() ?? ''));
}

/** Limits traces with secrets to users who may change the project, regardless of what their runner reports. */
@Injectable()
export class DebugTracesService {
  constructor(private readonly transactions: Transactions) {}

  /** Call this before a runner receives the variables of a job. */
  async hide(jobId: number, variables: readonly CiVariable[]): Promise<void> {
    if (!tellsSecrets(variables)) return;
    await this.transactions.run((tx) =>
      tx.query('update ci_jobs set debug_trace = true where id = $1', [jobId]),
    );
  }
}
