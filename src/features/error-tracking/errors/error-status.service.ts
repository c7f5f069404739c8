import { Injectable } from '@nestjs/common';
import { STATEMENT_TIME } from '#kernel/database/time-sql.js';
import { Transactions } from '#kernel/database/transactions.js';
import { NotFound } from '#kernel/http/errors.js';
import type { ErrorStatus } from './error.record.js';

/** Repeating the present state changes nothing: an error that is resolved again was still resolved when it was first. */
const UPDATE = `update error_tracking_errors set status = $3::text, updated_at = ${STATEMENT_TIME},
    resolved_at = case when $3::text = 'resolved' then ${STATEMENT_TIME} end
  where id = $2 and project_id = $1 and status <> $3::text`;

const EXISTS = 'select 1 from error_tracking_errors where id = $2 and project_id = $1';

/** Resolving, ignoring and opening errors. */
@Injectable()
export class ErrorStatusService {
  constructor(private readonly transactions: Transactions) {}

  /** Gives an error of a project another state. @throws 404 */
  change(projectId: number, id: number, status: ErrorStatus): Promise<void> {
    return this.transactions.run(async (tx) => {
      const [, changed] = await tx.query<[unknown[], number]>(UPDATE, [projectId, id, status]);
      if (changed > 0) return;
      const found = await tx.query<unknown[]>(EXISTS, [projectId, id]);
      if (found.length === 0) throw NotFound('Error');
    });
  }
}
