import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';

/** Locks the epic whether it is confidential or not: it may just become so, which is seen once that is committed. */
const EPIC = `select e.confidential and not i.confidential as "isSecret" from epic_issues x join epics e on e.id = x.epic_id
  join issues i on i.id = x.issue_id where x.issue_id = $1 for share of e`;

/** Asserts at the end of a change that an issue of a confidential epic is confidential too. @throws 400 */
export async function assertSecretWithEpic(tx: Tx, issueId: number): Promise<void> {
  const [epic] = await tx.query<{ isSecret: boolean }[]>(EPIC, [issueId]);
  if (epic?.isSecret) throw invalid({ confidential: ['must be true for an issue of a confidential epic'] });
}
