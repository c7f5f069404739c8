import { Injectable } from '@nestjs/common';
import type { UserCaller, GroupCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { issuableWritten } from '#core/activity/text-written.event.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { CreationLimit } from '#core/instance/limits/creation.limit.js';
import { EPIC } from '#core/issuables/issuable-kind.js';
import { addLabels } from '#core/issuables/label-links.js';
import { assertTitle, keptDescription } from '#core/issuables/text.rules.js';
import { LabelNamesService } from '#core/labels/links/label-names.service.js';
import { MentionsService } from '#core/notes/participants/mentions.service.js';
import { EpicTreeService } from './children/epic-tree.service.js';
import { assertInOrder, datesOf, epicContainer, epicTarget, lockEpic } from './epic-rules.js';
import { Epic } from './epic.entity.js';
import type { CreateEpicParams } from './epics.params.js';

/** Creates and removes epics (`planning.md` 3.1). */
@Injectable()
export class EpicsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly iids: InternalIdsService,
    private readonly labels: LabelNamesService,
    private readonly mentions: MentionsService,
    private readonly tree: EpicTreeService,
    private readonly limits: CreationLimit,
  ) {}

  /** Counts an epic against the rate limit of its author, as issues are. @throws 429 */
  admit({ actor }: UserCaller): Promise<void> {
    return this.limits.admit('issues_create_limit', actor.id);
  }

  /**
   * Creates an epic in the group of the request and returns its id. @throws 400; 403, 404, 409 for an invalid
   * parent
   */
  create(caller: UserCaller & GroupCaller, params: CreateEpicParams): Promise<number> {
    const { id: groupId } = caller.subject;
    const author = caller.actor;
    const { id: authorId } = author;
    assertTitle(params.title);
    const dates = datesOf(params);
    assertInOrder(dates);
    const { title, confidential = false } = params;
    const description = keptDescription(params.description ?? null);
    return this.transactions.run(async (tx) => {
      const labelIds = await this.labels.resolve(tx, { groupId }, params.labels ?? [], true);
      const container = epicContainer(groupId);
      const mentionedUsers = await this.mentions.mentionedUsers(tx, description, { ...container, author });
      const iid = await this.iids.nextOfGroup(tx, groupId, 'epics');
      const createdAt = (caller.role >= Role.Owner ? params.created_at : undefined) ?? clock;
      const values = { groupId, iid, authorId, title, description, confidential, ...dates };
      const created = await tx.insert(Epic, { ...values, createdAt, updatedAt: clock });
      const { id } = created.identifiers[0] as { id: number };
      await addLabels(tx, EPIC, id, labelIds, authorId);
      if (params.parent_id) {
        await this.tree.lock(tx, id, params.parent_id);
        await this.tree.put(tx, caller, id, params.parent_id);
      }
      const mentionedUserIds = await this.mentions.recordNew(tx, { type: 'Epic', id }, null, mentionedUsers);
      const details = { mentionedUserIds, addedLabelIds: labelIds };
      await this.events.publish(
        tx,
        new ActivityHappened('created', authorId, container, epicTarget({ id, iid, title }), details),
      );
      await this.events.publish(tx, issuableWritten('Epic', { id, title, description }, authorId));
      return id;
    });
  }

  /** Removes an epic; its issues are kept. @throws 404, 412 */
  remove(id: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { updatedAt } = await lockEpic(tx, id);
      unmodified(updatedAt);
      await tx.delete(Epic, { id });
    });
  }
}
