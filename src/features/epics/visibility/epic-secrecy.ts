import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';

/** Whether an epic's issues, children or parent are visible to more users than it allows. */
interface Misfits {
  readonly has_open_issues: boolean;
  readonly has_open_children: boolean;
  readonly is_below_secret: boolean;
}

const MISFITS = `select
    e.confidential and exists (select 1 from epic_issues x join issues i on i.id = x.issue_id where x.epic_id = e.id and not i.confidential) as has_open_issues,
    e.confidential and exists (select 1 from epics c where c.parent_id = e.id and not c.confidential) as has_open_children,
    not e.confidential and exists (select 1 from epics p where p.id = e.parent_id and p.confidential) as is_below_secret
  from epics e where e.id = $1`;

/**
 * Asserts that everything in a confidential epic is confidential too. Call it at the end of a change to a
 * locked epic. @throws 400
 */
export async function assertSecrecy(tx: Tx, epicId: number): Promise<void> {
  const [misfits] = await tx.query<Misfits[]>(MISFITS, [epicId]);
  const problems = [
    ...(misfits?.has_open_issues
      ? ['Cannot make the epic confidential if it contains non-confidential issues']
      : []),
    ...(misfits?.has_open_children
      ? ['Cannot make the epic confidential if it contains non-confidential child epics']
      : []),
    ...(misfits?.is_below_secret
      ? ['A non-confidential epic cannot be assigned to a confidential parent epic']
      : []),
  ];
  if (problems.length > 0) throw invalid({ confidential: problems });
}
