import { isOn } from '../settings/mail-events.js';
import type { EffectiveSetting } from '../recipients/effective-setting.js';
import type { NotifiableKind } from '../recipients/notifiable-event.js';
import { levelDelivers } from '../recipients/recipient-rules.js';
import type { NotificationPreviewRecord } from './notification-preview.record.js';

/** Events of which only the users concerned are notified. */
const OWN_PIPELINES: ReadonlySet<NotifiableKind> = new Set([
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
]);

/** Events found only by their switch: watchers are not candidates. */
const SWITCHED_ONLY: ReadonlySet<NotifiableKind> = new Set([
  'push_to_merge_request',
  'issue_due',
  'new_release',
]);

/** Relation of the caller to the project or group. */
export interface PreviewFacts {
  readonly setting: EffectiveSetting;
  /** Whether the user is a member, or has a setting in the project or group: a global level applies only there. */
  readonly isFollower: boolean;
}

/** Returns whether a level includes noteables without the user's participation, for this kind of event. */
function reachesAll(kind: NotifiableKind, { setting, isFollower }: PreviewFacts): boolean {
  const { level } = setting;
  if (kind === 'moved_project') return isFollower && levelDelivers(setting, 'mention', kind);
  if (OWN_PIPELINES.has(kind)) return levelDelivers(setting, 'watch', kind);
  if (!isFollower || (level !== 'watch' && level !== 'custom')) return false;
  if (level === 'watch' && SWITCHED_ONLY.has(kind)) return false;
  return levelDelivers(setting, level, kind);
}

/** Returns whether and why a user would be notified of an event of this kind in a project or group. */
export function preview(kind: NotifiableKind, facts: PreviewFacts): NotificationPreviewRecord {
  const { setting } = facts;
  const hasPart = !OWN_PIPELINES.has(kind) && kind !== 'new_release' && kind !== 'moved_project';
  const all = reachesAll(kind, facts);
  return {
    would_notify: all,
    level: setting.level,
    source: setting.source,
    reason: reasonOf(kind, facts, all),
    would_notify_participant: all || (hasPart && levelDelivers(setting, 'participating', kind)),
    would_notify_mentioned: all || (hasPart && levelDelivers(setting, 'mention', kind)),
  };
}

const AS_TAKING_PART = 'only where you participate or are mentioned';

function reasonOf(kind: NotifiableKind, { setting, isFollower }: PreviewFacts, all: boolean): string {
  const event = kind.replaceAll('_', ' ');
  switch (setting.level) {
    case 'disabled':
      return 'Your level is "disabled": you are notified only of what you are subscribed to';
    case 'mention':
      return all
        ? `Your level is "mention", and you are always notified of "${event}"`
        : 'Your level is "mention": you are notified only when you are mentioned or something is assigned to you';
    case 'participating':
      return all
        ? `You are notified of "${event}" in your own items`
        : `Your level is "participating": you are notified of "${event}" ${AS_TAKING_PART}`;
    case 'watch':
      if (all) return `Your level is "watch", which includes "${event}"`;
      return isFollower
        ? `Your level is "watch", which does not include "${event}"`
        : `You are not a member and have no setting here, so you are notified of "${event}" ${AS_TAKING_PART}`;
    case 'custom':
      if (all) return `Your level is "custom", and "${event}" is on`;
      return isOn(setting.events, kind)
        ? `You are not a member and have no setting here, so you are notified of "${event}" ${AS_TAKING_PART}`
        : `Your level is "custom", and "${event}" is off: you are notified of it ${AS_TAKING_PART}`;
  }
}
