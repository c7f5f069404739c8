import { Injectable } from '@nestjs/common';
import type { ProjectCaller } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { promotionPlace } from '#core/labels/reach/promotion-place.js';
import { lockTitle } from '../milestone-rules.js';
import { MilestoneLinksService } from '../milestone-links.service.js';

/** The same milestone in other projects of the group. */
interface Same {
  readonly id: number;
  readonly project_id: number;
}

/** The projects stay where they are, so that none leaves the group and keeps what becomes its milestone. */
const SAME_TITLE = `select ms.id, ms.project_id from milestones ms join projects p on p.id = ms.project_id join namespaces n on n.id = p.namespace_id
  where ms.title = $2 and n.traversal_ids @> array[$1::bigint] order by ms.id for key share of p, n for update of ms`;

const BECOME = `update milestones set project_id = null, group_id = $2, iid = $3, updated_at = now() where id = $1`;

/** Makes milestones of projects milestones of their group. */
@Injectable()
export class PromoteMilestone {
  constructor(
    private readonly transactions: Transactions,
    private readonly namespaces: NamespacesQueries,
    private readonly iids: InternalIdsService,
    private readonly links: MilestoneLinksService,
  ) {}

  /**
   * Makes a milestone of the caller's project one of the group that the project stands in; those of the same title in other projects of the
   * group become one with it. @returns the id of the group @throws 400, 403, 404
   */
  async run(caller: ProjectCaller, milestoneId: number): Promise<number> {
    const { projectId, groupId } = await promotionPlace(
      this.namespaces,
      caller,
      'Project does not belong to a group.',
    );
    await this.transactions.run((tx) => this.promote(tx, projectId, groupId, milestoneId));
    return groupId;
  }

  private async promote(tx: Tx, projectId: number, groupId: number, id: number): Promise<void> {
    const [milestone] = await tx.query<{ title: string }[]>(
      'select title from milestones where id = $1 and project_id = $2',
      [id, projectId],
    );
    if (!milestone) throw notFound('Milestone');
    await lockTitle(tx, { projectId }, milestone.title);
    const same = await tx.query<Same[]>(SAME_TITLE, [groupId, milestone.title]);
    if (!same.some((one) => one.id === id)) throw notFound('Milestone');
    const others = same.filter((one) => one.id !== id).map((one) => one.id);
    await this.links.move(tx, others, id);
    await tx.query('delete from milestones where id = any($1::bigint[])', [others]);
    for (const { project_id: owner } of same) await this.iids.removed(tx, owner, 'milestones', 1);
    await tx.query(BECOME, [id, groupId, await this.iids.nextOfGroup(tx, groupId, 'milestones')]);
  }
}
