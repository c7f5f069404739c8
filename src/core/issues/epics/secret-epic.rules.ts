import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';

const SECRET_EPIC = `select e.id from epic_issues x join epics e on e.id = x.epic_id join issues i on i.id = x.issue_id
  where x.issue_id = $1 and e.confidential and not i.confidential for share of e`;

/** Asserts at the end of a change that an issue of a confidential epic is confidential too. @throws 400 */
export async function assertSecretWithEpic(tx: Tx, issueId: number): Promise<void> {
  if ((await tx.query<unknown[]>(SECRET_EPIC, [issueId])).length > 0)
    throw invalid({ confidential: ['must be true for an issue of a confidential epic'] });
}
