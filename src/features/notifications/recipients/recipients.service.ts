import { Injectable } from '@nestjs/common';
import type { ProjectFeature } from '#kernel/access/access.js';
import { Role } from '#kernel/access/roles.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import { addressFor, effectiveSetting, type NotificationContainer } from './effective-setting.js';
import type { Delivery, NotifiableEvent, NotifiableTarget } from './notifiable-event.js';
import {
  deliveries,
  type Candidate,
  type FoundCandidate,
  type MailUser,
  type RecipientFacts,
} from './recipient-rules.js';
import { RecipientsQueries } from './recipients.queries.js';

/**
 * For noteables without their own rules: the part of the project, and the role that a private project
 * requires.
 */
const PARTS: Readonly<Partial<Record<NotifiableTarget['type'], readonly [ProjectFeature, Role]>>> = {
  Commit: ['repository', Role.Reporter],
  Pipeline: ['builds', Role.Guest],
};

/** Determines the recipients of notifications (`planning.md` 2.3). */
@Injectable()
export class RecipientsService {
  constructor(
    private readonly queries: RecipientsQueries,
    private readonly noteables: NoteableRegistry,
    private readonly projectReaders: ProjectReadersQueries,
  ) {}

  /** Returns the mails for an event: one for each user who wants it and can read its target. */
  async recipientsFor(event: NotifiableEvent): Promise<Delivery[]> {
    const { groups, internal } = await this.queries.scene(event);
    const candidates = await this.judged(event, await this.queries.candidates(event, groups));
    if (candidates.length === 0) return [];
    const container = { projectId: event.projectId, groupIds: groups };
    const ids = [...new Set(candidates.map(({ userId }) => userId))];
    const users = await this.queries.mailUsers(ids, container, event.target);
    const mails = deliveries(candidates, factsOf(event, container, users));
    if (mails.length === 0) return [];
    const readers = await this.readersAmong(
      event,
      mails.map(({ userId }) => userId),
      internal,
    );
    return mails.filter(({ userId }) => readers.has(userId));
  }

  /**
   * Returns the address of a recipient right before sending; null if they can no longer read the target, have
   * unsubscribed or disabled mails, or can no longer receive mail.
   */
  async addressNow(event: NotifiableEvent, userId: number): Promise<string | null> {
    const { groups, internal } = await this.queries.scene(event);
    const container = { projectId: event.projectId, groupIds: groups };
    const user = (await this.queries.mailUsers([userId], container, event.target)).get(userId);
    if (!user) return null;
    const isMuted = user.isUnsubscribed || effectiveSetting(user.settings, container).level === 'disabled';
    if (isMuted && !(await this.reaches(event, container, user))) return null;
    const readers = await this.readersAmong(event, [userId], internal);
    return readers.has(userId) ? addressFor(user.settings, container, user.email) : null;
  }

  /** Returns whether an event still reaches a user, as one that names a user who unsubscribed does. */
  private async reaches(
    event: NotifiableEvent,
    container: NotificationContainer,
    user: MailUser,
  ): Promise<boolean> {
    const found = await this.queries.candidates(event, container.groupIds);
    const own = await this.judged(
      event,
      found.filter(({ userId }) => userId === user.id),
    );
    return deliveries(own, factsOf(event, container, new Map([[user.id, user]]))).length > 0;
  }

  /**
   * Returns candidates without those mentioned only where they cannot read: internal notes reveal nothing to
   * others.
   */
  private async judged(event: NotifiableEvent, found: readonly FoundCandidate[]): Promise<Candidate[]> {
    const insiders = found.filter(({ type }) => type === 'insider').map(({ userId }) => userId);
    const readers = insiders.length === 0 ? null : await this.readersAmong(event, insiders, true);
    return found.flatMap(({ type, ...one }) =>
      type !== 'insider'
        ? [{ ...one, type }]
        : readers?.has(one.userId)
          ? [{ ...one, type: 'participating' }]
          : [],
    );
  }

  /** Returns those of the users who can now read the target of an event. */
  async readersAmong(
    { target, projectId, membership }: Pick<NotifiableEvent, 'target' | 'projectId' | 'membership'>,
    userIds: readonly number[],
    internal: boolean,
  ): Promise<ReadonlySet<number>> {
    const { type, id } = target;
    // Former members are not notified of their membership.
    if (membership || type === 'Group') return this.queries.membersAmong(target, userIds);
    if (type !== 'Pipeline' && type !== 'Project' && id !== null)
      return this.noteables.of(type).readersAmong(id, userIds, internal);
    if (projectId === null) throw new Error(`A ${type} has neither a project nor a group`);
    const [feature, least] = PARTS[type] ?? [null, Role.Guest];
    const roles = await this.projectReaders.among(projectId, userIds, feature, least);
    const readers = new Set(roles.keys());
    if (type !== 'Pipeline' || (await this.queries.hasPublicJobs(projectId))) return readers;
    return new Set([...readers].filter((userId) => (roles.get(userId) ?? Role.None) >= Role.Reporter));
  }
}

function factsOf(
  { kind, target, actorId }: NotifiableEvent,
  container: NotificationContainer,
  users: RecipientFacts['users'],
): RecipientFacts {
  // A pipeline runs for its user, and a conflict is unintended: the actors are notified too.
  const isOwn = target.type === 'Pipeline' || kind === 'became_unmergeable';
  return { kind, actorId: isOwn ? null : actorId, container, users };
}
