import { Tier } from '#kernel/access/roles.js';
import { MAIL_EVENTS, type MailEvent } from '#features/notifications/settings/mail-events.js';
import type { SourceKind } from './notification-sources.queries.js';

/** The events that a page lets somebody switch: epics are the top tier's, and no project's. */
export const offeredEvents = (kind: SourceKind, tier: Tier): readonly MailEvent[] =>
  MAIL_EVENTS.filter((name) => name !== 'new_epic' || (kind === 'groups' && tier >= Tier.Ultimate));
