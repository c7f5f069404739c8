import { Injectable } from '@nestjs/common';
import type { ProjectCaller } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';
import { COPY_TO_GROUP, lockSameInGroup, titleInProject } from '../reach/same-in-group.js';
import { promotionContainers } from '../reach/promotion-containers.js';
import { LabelLinksService } from '../links/label-links.service.js';

/** Promotes labels of projects to their group. */
@Injectable()
export class PromoteLabel {
  constructor(
    private readonly transactions: Transactions,
    private readonly namespaces: NamespacesQueries,
    private readonly links: LabelLinksService,
  ) {}

  /**
   * Promotes a label of the caller's project to its group; labels of the same name in other projects of the
   * group are merged into it. @returns the id of the group's label @throws 400, 403, 404
   */
  async run(caller: ProjectCaller, labelId: number): Promise<number> {
    const { projectId, groupId } = await promotionContainers(
      this.namespaces,
      caller,
      'Failed to promote project label to group label',
    );
    return this.transactions.run((tx) => this.promote(tx, projectId, groupId, labelId));
  }

  private async promote(tx: Tx, projectId: number, groupId: number, labelId: number): Promise<number> {
    const title = await titleInProject(tx, 'labels', projectId, labelId);
    if (title === null) throw notFound('Label');
    const same = (await lockSameInGroup(tx, 'labels', groupId, title)).map(({ id }) => id);
    if (!same.includes(labelId)) throw notFound('Label');
    await tx.query(COPY_TO_GROUP, [groupId, labelId]);
    const [promoted] = await tx.query<{ id: number }[]>(
      'select id from labels where group_id = $1 and title = $2 for key share',
      [groupId, title],
    );
    if (!promoted) throw notFound('Label');
    await this.links.move(tx, same, promoted.id);
    await tx.query('delete from labels where id = any($1::bigint[])', [same]);
    return promoted.id;
  }
}
