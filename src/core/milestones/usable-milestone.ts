import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';
import { held } from '#core/labels/reach/planning-container.js';

const USABLE = `select ms.id from milestones ms where ms.id = $2 and ${held.project('ms', '$1')} for key share of ms`;

/**
 * Asserts that issuables of a project can have a milestone: one of the project or of a group above. The
 * milestone is locked until `tx` ends.
 * @throws 400
 */
export async function assertUsable(tx: Tx, projectId: number, milestoneId: number): Promise<void> {
  const found = await tx.query<unknown[]>(USABLE, [projectId, milestoneId]);
  if (found.length === 0) throw invalid({ milestone_id: ['is invalid'] });
}
