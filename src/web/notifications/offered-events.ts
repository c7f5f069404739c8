import { Tier } from '#kernel/access/roles.js';
import { MAIL_EVENTS, type MailEvent } from '#features/notifications/settings/mail-events.js';
import type { SourceKind } from './notification-sources.queries.js';

/** The events that a page offers: epics require the highest tier and do not exist in projects. */
export const offeredEvents = (kind: SourceKind, tier: Tier): readonly MailEvent[] =>
  MAIL_EVENTS.filter((name) => name !== 'new_epic' || (kind === 'groups' && tier >= Tier.Ultimate));
