import { Injectable } from '@nestjs/common';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions } from '#kernel/database/transactions.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import type { ErrorStatus } from './error.record.js';

/**
 * Repeating the present status changes nothing, so that `updated_at` keeps the time of the first resolution.
 */
const UPDATE = `update error_tracking_errors set status = $3::text, updated_at = ${STATEMENT_TIME},
    resolved_at = case when $3::text = 'resolved' then ${STATEMENT_TIME} end
  where id = $2 and project_id = $1 and status <> $3::text`;

const FIND = `select p.archived from error_tracking_errors e join projects p on p.id = e.project_id
  where e.id = $2 and e.project_id = $1`;

/** Resolves, ignores and reopens errors. */
@Injectable()
export class ErrorStatusService {
  constructor(private readonly transactions: Transactions) {}

  /** Changes the status of an error of a project. @throws 403 if the project is archived, 404 */
  change(projectId: number, id: number, status: ErrorStatus): Promise<void> {
    return this.transactions.run(async (tx) => {
      const [found] = await tx.query<{ archived: boolean }[]>(FIND, [projectId, id]);
      if (!found) throw notFound('Error');
      if (found.archived) throw forbidden();
      await tx.query(UPDATE, [projectId, id, status]);
    });
  }
}
