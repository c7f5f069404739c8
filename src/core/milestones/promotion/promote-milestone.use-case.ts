import { Injectable } from '@nestjs/common';
import type { ProjectCaller } from '#kernel/access/caller.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { lockSameInGroup, titleInProject } from '#core/labels/reach/same-in-group.js';
import { promotionContainers } from '#core/labels/reach/promotion-containers.js';
import { failed, lockTitle, TITLE_TAKEN } from '../milestone-rules.js';
import { MilestoneLinksService } from '../milestone-links.service.js';

/** A transfer may have brought the project below a milestone of the same title. */
const ABOVE = `select 1 from milestones ms where ms.title = $2
  and ms.group_id = any((select n.traversal_ids from namespaces n where n.id = $1)::bigint[]) limit 1`;
const BECOME = `update milestones set project_id = null, group_id = $2, iid = $3, updated_at = ${STATEMENT_TIME} where id = $1`;

/** Promotes milestones of projects to their group. */
@Injectable()
export class PromoteMilestone {
  constructor(
    private readonly transactions: Transactions,
    private readonly namespaces: NamespacesQueries,
    private readonly iids: InternalIdsService,
    private readonly links: MilestoneLinksService,
  ) {}

  /**
   * Promotes a milestone of the caller's project to its group; milestones of the same title in other projects
   * of the group are merged into it. @returns the id of the group @throws 400, 403, 404
   */
  async run(caller: ProjectCaller, milestoneId: number): Promise<number> {
    const { projectId, groupId } = await promotionContainers(
      this.namespaces,
      caller,
      'Project does not belong to a group.',
    );
    await this.transactions.run((tx) => this.promote(tx, projectId, groupId, milestoneId));
    return groupId;
  }

  private async promote(tx: Tx, projectId: number, groupId: number, id: number): Promise<void> {
    const title = await titleInProject(tx, 'milestones', projectId, id);
    if (title === null) throw notFound('Milestone');
    await lockTitle(tx, { projectId }, title);
    const same = await lockSameInGroup(tx, 'milestones', groupId, title);
    if (!same.some((one) => one.id === id)) throw notFound('Milestone');
    if ((await tx.query<unknown[]>(ABOVE, [groupId, title])).length > 0) throw failed('update', TITLE_TAKEN);
    const others = same.filter((one) => one.id !== id).map((one) => one.id);
    await this.links.move(tx, others, id);
    await tx.query('delete from milestones where id = any($1::bigint[])', [others]);
    for (const { project_id: owner } of same) await this.iids.removed(tx, owner, 'milestones', 1);
    await tx.query(BECOME, [id, groupId, await this.iids.nextOfGroup(tx, groupId, 'milestones')]);
  }
}
