import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { requireChange } from '#kernel/http/fields/require-change.js';
import {
  ActivityHappened,
  type ActivityAction,
  type ActivityDetails,
} from '#core/activity/activity-happened.event.js';
import { issuableWritten } from '#core/activity/text-written.event.js';
import {
  descriptionNote,
  labelNote,
  stateNote,
  titleNote,
  type ChangeNote,
} from '#core/issuables/change-notes.js';
import { EPIC } from '#core/issuables/issuable-kind.js';
import { changeLabels, type NamedLabels } from '#core/issuables/label-links.js';
import { keepState } from '#core/issuables/resource-events/write-resource-events.js';
import { assertTitle, keptDescription } from '#core/issuables/text.rules.js';
import { LabelNamesService } from '#core/labels/links/label-names.service.js';
import { MentionsService, type MentionedUser } from '#core/notes/participants/mentions.service.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { EpicTreeService } from './children/epic-tree.service.js';
import type { EpicFacts } from './visibility/epic.finder.js';
import { assertInOrder, datesOf, epicContainer, epicTarget, lockEpic } from './epic-rules.js';
import { assertSecrecy } from './visibility/epic-secrecy.js';
import { Epic } from './epic.entity.js';
import type { UpdateEpicParams } from './epics.params.js';

/** A change of a locked epic. */
interface Work {
  readonly tx: Tx;
  readonly actorId: number;
  readonly epic: Epic;
  readonly params: UpdateEpicParams;
}

/** Updates epics (`planning.md` 3.1). */
@Injectable()
export class UpdateEpic {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly labels: LabelNamesService,
    private readonly mentions: MentionsService,
    private readonly notes: SystemNotesService,
    private readonly tree: EpicTreeService,
  ) {}

  /** Updates an epic. @throws 400, 404; 403, 404, 409 for an invalid parent */
  async run(
    caller: UserCaller,
    { id, group_id: groupId }: EpicFacts,
    params: UpdateEpicParams,
  ): Promise<void> {
    requireChange(params, 'epic_iid');
    assertTitle(params.title);
    const author = caller.actor;
    const { id: actorId } = author;
    await this.transactions.run(async (tx) => {
      const resolve = (names: readonly string[] | null | undefined, mayCreate = true): Promise<number[]> =>
        this.labels.resolve(tx, { groupId }, names ?? [], mayCreate);
      const all = params.labels === undefined ? null : await resolve(params.labels);
      const add = await resolve(params.add_labels);
      const remove = await resolve(params.remove_labels, false);
      const mentionContainer = { ...epicContainer(groupId), author };
      const mentionedUsers = await this.mentions.mentionedUsers(
        tx,
        params.description ?? null,
        mentionContainer,
      );
      const parentId = params.parent_id === undefined ? undefined : params.parent_id || null;
      const isSecrecyGiven = params.confidential !== undefined;
      if (parentId !== undefined || isSecrecyGiven) await this.tree.lock(tx, id, parentId ?? null);
      const work = { tx, actorId, epic: await lockEpic(tx, id), params };
      const isChanged = [
        await this.changeColumns(work, mentionedUsers),
        await this.changeLabels(work, { all, add, remove }),
        await this.changeState(work),
        parentId !== undefined && (await this.tree.put(tx, caller, id, parentId)),
      ].includes(true);
      if (isSecrecyGiven) await assertSecrecy(tx, id);
      const at = caller.role >= Role.Owner ? params.updated_at : undefined;
      if (at) await tx.update(Epic, { id }, { updatedAt: at });
      else if (isChanged) await tx.update(Epic, { id }, { updatedAt: clock });
    });
  }

  private async changeColumns(work: Work, mentionedUsers: readonly MentionedUser[]): Promise<boolean> {
    const { tx, epic, params } = work;
    const { title, confidential } = params;
    const given = { title, description: keptDescription(params.description), confidential };
    const wanted = Object.entries({ ...given, ...datesOf(params) }).filter(
      ([name, value]) => value !== undefined && value !== epic[name as keyof Epic],
    );
    if (wanted.length === 0) return false;
    const columns: Partial<Epic> = Object.fromEntries(wanted);
    assertInOrder(Object.assign({}, epic, columns));
    await tx.update(Epic, { id: epic.id }, columns);
    for (const note of notesOf(epic, columns)) await this.write(work, note);
    if (columns.title !== undefined || columns.description !== undefined)
      await this.events.publish(tx, issuableWritten('Epic', epic, work.actorId, columns));
    if (columns.description === undefined) return true;
    const mentioned = await this.mentions.record(tx, { type: 'Epic', id: epic.id }, null, mentionedUsers);
    if (mentioned.length > 0) await this.tell(work, 'mentioned', { mentionedUserIds: mentioned });
    return true;
  }

  private async changeLabels(work: Work, named: NamedLabels): Promise<boolean> {
    const { tx, actorId, epic } = work;
    const change = await changeLabels(tx, EPIC, epic.id, named, actorId);
    const note = change && labelNote(change);
    if (!note) return false;
    await this.write(work, note);
    if (change.addedIds.length > 0) await this.tell(work, 'relabeled', { addedLabelIds: change.addedIds });
    return true;
  }

  private async changeState(work: Work): Promise<boolean> {
    const { tx, actorId, epic, params } = work;
    const { state_event: event } = params;
    if (!event || (event === 'close') === (epic.state === 'closed')) return false;
    const isClosing = event === 'close';
    await tx.update(
      Epic,
      { id: epic.id },
      isClosing
        ? { state: 'closed', closedById: actorId, closedAt: clock }
        : { state: 'opened', closedById: null, closedAt: null },
    );
    const change = isClosing ? 'closed' : 'reopened';
    await keepState(tx, EPIC, epic.id, actorId, change);
    await this.write(work, stateNote(change));
    await this.tell(work, change, {});
    return true;
  }

  private write({ tx, actorId, epic: { id, groupId } }: Work, { action, body }: ChangeNote): Promise<void> {
    return this.notes.write(tx, { type: 'Epic', id, ...epicContainer(groupId) }, actorId, action, body);
  }

  private tell({ tx, actorId, epic }: Work, action: ActivityAction, details: ActivityDetails): Promise<void> {
    const container = epicContainer(epic.groupId);
    return this.events.publish(
      tx,
      new ActivityHappened(action, actorId, container, epicTarget(epic), details),
    );
  }
}

/** Returns the system notes about changed columns. */
function notesOf(epic: Epic, columns: Partial<Epic>): ChangeNote[] {
  const { title, description, confidential } = columns;
  const notes: ChangeNote[] = [];
  if (title !== undefined) notes.push(titleNote(epic.title, title));
  if (description !== undefined) notes.push(descriptionNote);
  if (confidential !== undefined)
    notes.push({
      action: confidential ? 'confidential' : 'visible',
      body: confidential ? 'made the epic confidential' : 'made the epic visible to everyone',
    });
  return [...notes, ...dateNotes(epic, columns)];
}

/** Only for dates that are fixed before or after: those from milestones may change by themselves. */
function dateNotes(epic: Epic, columns: Partial<Epic>): ChangeNote[] {
  const now = Object.assign(new Epic(), epic, columns);
  return (['start', 'due'] as const).flatMap((name) => {
    const [date, isFixed] = [`${name}DateFixed`, `${name}DateIsFixed`] as const;
    const [before, after] = [epic, now].map((one) => (one[isFixed] ? one[date] : null));
    if (before === after) return [];
    const body = after ? `changed ${name} date to **${after}**` : `removed the ${name} date`;
    return [{ action: `${name}_date`, body }];
  });
}
