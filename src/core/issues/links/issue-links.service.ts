import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, forbidden, HttpError, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { IssueFinder, type IssueFacts } from '../issue.finder.js';
import type { LinkType } from './issue-link.record.js';
import type { CreateIssueLinkParams } from './issue-links.params.js';
import { IssueLinksQueries } from './issue-links.queries.js';
import { LinkedIssueFinder } from './linked-issue.finder.js';

const LOCK = 'select id from issues where id = any($1::bigint[]) order by id for no key update';

const LINK = `insert into issue_links (source_id, target_id, link_type) values ($1, $2, $3) on conflict do nothing returning id`;

const LOCK_LINK = 'select updated_at from issue_links where id = $1 for update';

/** Texts of system notes about the types of links. */
const SAID: Readonly<Record<LinkType, string>> = {
  relates_to: 'marked this issue as related to',
  blocks: 'marked this issue as blocking',
  is_blocked_by: 'marked this issue as blocked by',
};

const REVERSE: Readonly<Record<LinkType, LinkType>> = {
  relates_to: 'relates_to',
  blocks: 'is_blocked_by',
  is_blocked_by: 'blocks',
};

/** Readers of a note may not see the other issue: it is named only if all of them can see it. */
const named = (here: IssueFacts, other: IssueFacts): string =>
  here.project_id === other.project_id && !other.confidential ? `#${other.iid}` : 'another issue';

/** Creates and removes links between issues, for users who may change both (`planning.md` 5.2). */
@Injectable()
export class IssueLinksService {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: IssueFinder,
    private readonly others: LinkedIssueFinder,
    private readonly queries: IssueLinksQueries,
    private readonly notes: SystemNotesService,
  ) {}

  /** Links an issue of the caller's project to another one and returns the id of the link. @throws 403, 404, 409, 422 */
  async create(caller: UserCaller & ProjectCaller, params: CreateIssueLinkParams): Promise<number> {
    const { link_type: type = 'relates_to', target_project_id: projectRef, target_issue_iid: iid } = params;
    if (type !== 'relates_to' && caller.tier < Tier.Premium) throw forbidden();
    const { facts: source } = await this.access.toChange(caller, params.issue_iid, 'update');
    const { facts: target, mayLink } = await this.others.find(caller, projectRef, iid);
    if (!mayLink) throw forbidden();
    if (source.id === target.id)
      throw new HttpError(422, { message: `#${source.iid} cannot be linked to itself` });
    return this.transactions.run(async (tx) => {
      await this.lock(tx, source, target);
      const [link] = await tx.query<{ id: number }[]>(LINK, [source.id, target.id, type]);
      if (!link) throw conflict('Issue(s) already assigned');
      await this.say(tx, caller, source, 'relate', `${SAID[type]} ${named(source, target)}`);
      await this.say(tx, caller, target, 'relate', `${SAID[REVERSE[type]]} ${named(target, source)}`);
      return link.id;
    });
  }

  /** Removes a link. @throws 403, 404, 412 */
  async remove(
    caller: UserCaller & ProjectCaller,
    iid: number,
    linkId: number,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    const { facts: here } = await this.access.toChange(caller, iid, 'update');
    const { other_project_id: projectId, other_iid: otherIid } = await this.queries.find(linkId, here.id);
    const { facts: there, mayLink } = await this.others.find(caller, String(projectId), otherIid);
    if (!mayLink) throw forbidden();
    await this.transactions.run(async (tx) => {
      await this.lock(tx, here, there);
      const [link] = await tx.query<{ updated_at: Date }[]>(LOCK_LINK, [linkId]);
      if (!link) throw notFound('Issue Link');
      unmodified(link.updated_at);
      await tx.query('delete from issue_links where id = $1', [linkId]);
      await this.say(tx, caller, here, 'unrelate', `removed the relation with ${named(here, there)}`);
      await this.say(tx, caller, there, 'unrelate', `removed the relation with ${named(there, here)}`);
    });
  }

  private async lock(tx: Tx, ...issues: readonly IssueFacts[]): Promise<void> {
    const rows = await tx.query<unknown[]>(LOCK, [issues.map(({ id }) => id)]);
    if (rows.length < issues.length) throw notFound('Issue');
  }

  private say(
    tx: Tx,
    { actor }: UserCaller,
    { id, project_id: projectId }: IssueFacts,
    action: string,
    body: string,
  ): Promise<void> {
    const target = { type: 'Issue', id, projectId, groupId: null } as const;
    return this.notes.write(tx, target, actor.id, action, body);
  }
}
