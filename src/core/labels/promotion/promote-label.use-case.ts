import { Injectable } from '@nestjs/common';
import type { ProjectCaller } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';
import { promotionPlace } from '../reach/promotion-place.js';
import { LabelLinksService } from '../links/label-links.service.js';

/** The projects stay where they are, so that none leaves the group and keeps what becomes its label. */
const SAME_NAME = `select l.id from labels l join projects p on p.id = l.project_id join namespaces n on n.id = p.namespace_id
  where l.title = $2 and n.traversal_ids @> array[$1::bigint] order by l.id for key share of p, n for update of l`;

/** Makes labels of projects labels of their group. */
@Injectable()
export class PromoteLabel {
  constructor(
    private readonly transactions: Transactions,
    private readonly namespaces: NamespacesQueries,
    private readonly links: LabelLinksService,
  ) {}

  /**
   * Makes a label of the caller's project one of the group that the project stands in; labels of that name in other projects of the group
   * become the same. @returns the id of the group's label @throws 400, 403, 404
   */
  async run(caller: ProjectCaller, labelId: number): Promise<number> {
    const { projectId, groupId } = await promotionPlace(
      this.namespaces,
      caller,
      'Failed to promote project label to group label',
    );
    return this.transactions.run((tx) => this.promote(tx, projectId, groupId, labelId));
  }

  private async promote(tx: Tx, projectId: number, groupId: number, labelId: number): Promise<number> {
    const [label] = await tx.query<{ title: string }[]>(
      'select title from labels where id = $1 and project_id = $2',
      [labelId, projectId],
    );
    if (!label) throw notFound('Label');
    const same = (await tx.query<{ id: number }[]>(SAME_NAME, [groupId, label.title])).map(({ id }) => id);
    if (!same.includes(labelId)) throw notFound('Label');
    await tx.query(
      `insert into labels (group_id, title, color, description) select $1, title, color, description from labels where id = $2
       on conflict do nothing`,
      [groupId, labelId],
    );
    const [promoted] = await tx.query<{ id: number }[]>(
      'select id from labels where group_id = $1 and title = $2 for key share',
      [groupId, label.title],
    );
    if (!promoted) throw notFound('Label');
    await this.links.move(tx, same, promoted.id);
    await tx.query('delete from labels where id = any($1::bigint[])', [same]);
    return promoted.id;
  }
}
