import { isOn } from '../settings/mail-events.js';
import {
  addressFor,
  effectiveSetting,
  type EffectiveSetting,
  type NotificationContainer,
  type SettingRow,
} from './effective-setting.js';
import type { Delivery, MailReason, NotifiableKind } from './notifiable-event.js';

/** Relation that makes a user a candidate. */
export type CandidateType = 'participating' | 'watch' | 'custom' | 'subscription' | 'mention';

/** A possible recipient; a user may be a candidate for several reasons. */
export interface Candidate {
  readonly userId: number;
  readonly type: CandidateType;
  readonly reason: MailReason | null;
}

/**
 * An unverified candidate; an `insider` is mentioned in an internal note, and participates only if they can
 * read it.
 */
export type FoundCandidate = Omit<Candidate, 'type'> & { readonly type: CandidateType | 'insider' };

/** A user who can receive mail, with the relevant settings. */
export interface MailUser {
  readonly id: number;
  /** The primary address. */
  readonly email: string;
  readonly notifiedOfOwnActivity: boolean;
  /** Has unsubscribed from the noteable. */
  readonly isUnsubscribed: boolean;
  readonly settings: readonly SettingRow[];
}

/** Facts by which candidates are judged. Missing users cannot receive mail. */
export interface RecipientFacts {
  readonly kind: NotifiableKind;
  readonly actorId: number | null;
  readonly container: NotificationContainer;
  readonly users: ReadonlyMap<number, MailUser>;
}

/** Events not sent to watchers: too frequent, or only for participants. */
const NOT_WATCHED: ReadonlySet<NotifiableKind> = new Set([
  'push_to_merge_request',
  'issue_due',
  'success_pipeline',
]);

/** Events of their own pipelines that users get by default. */
const OF_OWN_PIPELINES: ReadonlySet<NotifiableKind> = new Set(['failed_pipeline', 'fixed_pipeline']);

/** In order of preference. */
const PRIORITY: readonly (MailReason | null)[] = [
  'own_activity',
  'assigned',
  'review_requested',
  'mentioned',
  'subscribed',
  null,
];

const takesPart = (type: CandidateType): boolean => type === 'participating' || type === 'mention';

/** Returns whether a level allows a mail about such an event to this type of candidate. */
export function levelDelivers(
  { level, events }: Pick<EffectiveSetting, 'level' | 'events'>,
  type: CandidateType,
  kind: NotifiableKind,
): boolean {
  switch (level) {
    case 'disabled':
      return false;
    case 'mention':
      return type === 'mention';
    case 'participating':
      return takesPart(type) || (type === 'watch' && OF_OWN_PIPELINES.has(kind));
    case 'watch':
      return !NOT_WATCHED.has(kind);
    case 'custom':
      return takesPart(type) || isOn(events, kind);
  }
}

function delivers(candidate: Candidate, user: MailUser, facts: RecipientFacts): boolean {
  if (candidate.userId === facts.actorId && !user.notifiedOfOwnActivity) return false;
  if (candidate.type === 'subscription') return !user.isUnsubscribed;
  if (user.isUnsubscribed && candidate.type !== 'mention') return false;
  return levelDelivers(effectiveSetting(user.settings, facts.container), candidate.type, facts.kind);
}

/**
 * Returns the mails to write, by the rules of `planning.md` 2.3: one per user, with the best of the
 * applicable reasons. Read access is not checked here, but only for users who would get a mail.
 */
export function deliveries(candidates: readonly Candidate[], facts: RecipientFacts): Delivery[] {
  const reasons = new Map<number, MailReason | null>();
  for (const candidate of candidates) {
    const { userId } = candidate;
    const user = facts.users.get(userId);
    if (!user || !delivers(candidate, user, facts)) continue;
    const reason = userId === facts.actorId ? 'own_activity' : candidate.reason;
    const best = reasons.get(userId);
    if (best === undefined || PRIORITY.indexOf(reason) < PRIORITY.indexOf(best)) reasons.set(userId, reason);
  }
  return [...reasons].flatMap(([userId, reason]) => {
    const user = facts.users.get(userId);
    return user ? [{ userId, address: addressFor(user.settings, facts.container, user.email), reason }] : [];
  });
}
