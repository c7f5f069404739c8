import { isOn } from '../settings/mail-events.js';
import {
  addressFor,
  effectiveSetting,
  type EffectiveSetting,
  type NotificationPlace,
  type SettingRow,
} from './effective-setting.js';
import type { Delivery, MailReason, NotifiableKind } from './notifiable-event.js';

/** By what right somebody may be written to. */
export type CandidateType = 'participating' | 'watch' | 'custom' | 'subscription' | 'mention';

/** Somebody who may be written to; one user may be so for several reasons. */
export interface Candidate {
  readonly userId: number;
  readonly type: CandidateType;
  readonly reason: MailReason | null;
}

/** Somebody who may be one; an insider is mentioned in an internal note, and takes part only if they can read such. */
export type FoundCandidate = Omit<Candidate, 'type'> & { readonly type: CandidateType | 'insider' };

/** A user who can be written to at all, with what they have set where it matters. */
export interface MailUser {
  readonly id: number;
  /** The first address. */
  readonly email: string;
  readonly notifiedOfOwnActivity: boolean;
  /** Has said that they want to hear no more of the thing. */
  readonly isUnsubscribed: boolean;
  readonly settings: readonly SettingRow[];
}

/** What candidates are judged by. Users that are missing cannot be written to. */
export interface RecipientFacts {
  readonly kind: NotifiableKind;
  readonly actorId: number | null;
  readonly place: NotificationPlace;
  readonly users: ReadonlyMap<number, MailUser>;
}

/** What those who watch are not told of: it is too much, or concerns only those who take part. */
const NOT_WATCHED: ReadonlySet<NotifiableKind> = new Set([
  'push_to_merge_request',
  'issue_due',
  'success_pipeline',
]);

/** What somebody hears of their own pipelines without having asked for more. */
const OF_OWN_PIPELINES: ReadonlySet<NotifiableKind> = new Set(['failed_pipeline', 'fixed_pipeline']);

/** The best first. */
const PRIORITY: readonly (MailReason | null)[] = [
  'own_activity',
  'assigned',
  'review_requested',
  'mentioned',
  'subscribed',
  null,
];

const takesPart = (type: CandidateType): boolean => type === 'participating' || type === 'mention';

/** Whether a level lets a mail of such an event through to somebody who is a candidate by that right. */
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
  return levelDelivers(effectiveSetting(user.settings, facts.place), candidate.type, facts.kind);
}

/**
 * The mails to write, by the rules of `planning.md` 2.3: one for each user, with the best reason of those for which they get it.
 * Who can read the thing is not judged here: only those who get a mail need to be asked for.
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
    return user ? [{ userId, address: addressFor(user.settings, facts.place, user.email), reason }] : [];
  });
}
