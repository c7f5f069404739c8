import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { ActivityHappened, type ActivityTarget } from '#core/activity/activity-happened.event.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { WikiPageChanged } from '#core/wikis/wiki-page-changed.event.js';
import { EventLogService } from './event-log.service.js';
import { ACTIONS, kindOf, type EventAction, type Subject } from './event-kinds.js';

const TARGETS: Readonly<Partial<Record<ActivityTarget['type'], Subject>>> = {
  Issue: 'issue',
  MergeRequest: 'mergeRequest',
  Milestone: 'milestone',
  Epic: 'epic',
};

const NOTEABLES: Readonly<Record<string, Subject>> = {
  Issue: 'issueNote',
  MergeRequest: 'mergeRequestNote',
  Snippet: 'snippetNote',
  Commit: 'commitNote',
  Epic: 'epicNote',
};

const isRecorded = (action: string): action is EventAction => Object.hasOwn(ACTIONS, action);

/** Records activity events for all activities, in the same transaction (`planning.md` 1.4). */
@Injectable()
export class EventsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly log: EventLogService,
  ) {}

  onModuleInit(): void {
    this.events.on(ActivityHappened, async (activity, tx) => {
      for (const one of recordedOf(activity)) await this.note(one, tx);
    });
    this.events.on(RefsPushed, (pushed, tx) => this.notePush(pushed, tx));
    this.events.on(WikiPageChanged, (changed, tx) => this.notePage(changed, tx));
  }

  private async note(
    { action, actorId, container, target, details }: ActivityHappened,
    tx: Tx,
  ): Promise<void> {
    const subject = subjectOf(target, details.noteable?.type);
    if (!isRecorded(action) || subject === null || actorId === null) return;
    // A commit has no id: a note on one is its own subject.
    const subjectId = details.noteable?.id ?? target?.id ?? null;
    // The title of a removed object can no longer be read, and a commit has no row.
    const isUntitled = action === 'destroyed' || subject === 'commitNote';
    const payload = isUntitled && target ? { title: clipped(target.title) } : null;
    await this.log.record(tx, {
      container,
      authorId: actorId,
      kind: kindOf(subject, action),
      targetId: target?.id ?? null,
      targetIid: target?.iid ?? null,
      subjectId,
      payload,
      ...(details.at ? { at: details.at } : {}),
    });
  }

  private async notePush({ repository, userId, payloads }: RefsPushed, tx: Tx): Promise<void> {
    if (repository.ownerType !== 'Project' || repository.kind !== 'code' || userId === null) return;
    const container = { projectId: repository.ownerId, groupId: null };
    for (const payload of payloads)
      await this.log.record(tx, { ...TARGETLESS, container, authorId: userId, kind: PUSH, payload });
  }

  private async notePage(
    { wiki, action, userId, slug, title, version, format }: WikiPageChanged,
    tx: Tx,
  ): Promise<void> {
    if (wiki.ownerType === 'Snippet' || userId === null) return;
    const isProject = wiki.ownerType === 'Project';
    const container = {
      projectId: isProject ? wiki.ownerId : null,
      groupId: isProject ? null : wiki.ownerId,
    };
    const kind = kindOf('wikiPage', action);
    const payload = { format, slug, title, version };
    await this.log.record(tx, { ...TARGETLESS, container, authorId: userId, kind, payload });
  }
}

const PUSH = kindOf('push', 'pushed');

/** Limit of a kept title, in characters: the subject of a commit can have megabytes, and lists contain many events. */
const MAX_TITLE = 255;

function clipped(title: string | null): string | null {
  if (title === null || title.length <= MAX_TITLE) return title;
  const begin = title.slice(0, MAX_TITLE);
  return `${begin.isWellFormed() ? begin : begin.slice(0, -1)}…`;
}

const TARGETLESS = { targetId: null, targetIid: null, subjectId: null } as const;

/**
 * Returns the activities to record: moving an issue is closing it here, if it was open, and creating it
 * there.
 */
function recordedOf(activity: ActivityHappened): readonly ActivityHappened[] {
  const { actorId, container, target, details } = activity;
  const { movedTo } = details;
  if (!movedTo) return [activity];
  const there = { projectId: movedTo.projectId, groupId: null };
  const created = new ActivityHappened('created', actorId, there, movedTo.target);
  return movedTo.hasClosedIt
    ? [new ActivityHappened('closed', actorId, container, target), created]
    : [created];
}

/** Returns the subject of an activity; null if it is not recorded. */
function subjectOf(target: ActivityTarget | null, noteableType: string | undefined): Subject | null {
  if (target === null) return 'project';
  if (target.type === 'Note') return NOTEABLES[noteableType ?? ''] ?? null;
  return TARGETS[target.type] ?? null;
}
