import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { CiVariable } from '#core/ci/jobs/definition/job-definition.js';

/** With these a runner writes all variables of the job, or what its services say, into the trace. */
const SWITCHES = ['CI_DEBUG_TRACE', 'CI_DEBUG_SERVICES'];

/** What runners take for false, and nothing. What is made of other variables only they know: it counts as true. */
const OFF = /^(0|f|false)?$/i;

/** Whether a job of these variables is to tell more than everybody may read; of two of one key the later counts. */
function tellsSecrets(variables: readonly CiVariable[]): boolean {
  return SWITCHES.some((key) => !OFF.test(variables.findLast((one) => one.key === key)?.value.trim() ?? ''));
}

/** Keeps traces with secrets to those who may change the project, whatever their runner says of them. */
@Injectable()
export class DebugTracesService {
  constructor(private readonly transactions: Transactions) {}

  /** Call it before a runner gets the variables of a job. */
  async hide(jobId: number, variables: readonly CiVariable[]): Promise<void> {
    if (!tellsSecrets(variables)) return;
    await this.transactions.run((tx) =>
      tx.query('update ci_jobs set debug_trace = true where id = $1', [jobId]),
    );
  }
}
