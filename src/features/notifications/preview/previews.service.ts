import { Injectable } from '@nestjs/common';
import { effectiveSetting, type NotificationContainer } from '../recipients/effective-setting.js';
import { RecipientsQueries } from '../recipients/recipients.queries.js';
import type { MailEvent } from '../settings/mail-events.js';
import type { NotificationPreviewRecord } from './notification-preview.record.js';
import { preview } from './preview.js';

const NO_MAIL =
  'This account receives no email here: it is a bot, its address is unconfirmed, or email is turned off for the project or group';

/** Previews notifications for users, by the same rules as mails. */
@Injectable()
export class PreviewsService {
  constructor(private readonly queries: RecipientsQueries) {}

  /** Returns the preview for a kind of event in a container; without one, by the global setting. */
  async find(
    userId: number,
    event: MailEvent,
    container: NotificationContainer | null,
  ): Promise<NotificationPreviewRecord> {
    const where = container ?? { projectId: null, groupIds: [] };
    const [users, isFollower] = await Promise.all([
      this.queries.mailUsers([userId], where, { type: 'Project', id: null }),
      container === null || this.queries.isFollower(userId, container),
    ]);
    const user = users.get(userId);
    const setting = effectiveSetting(user?.settings ?? [], where);
    const found = preview(event, { setting, isFollower: isFollower || setting.source !== 'global' });
    const never = { would_notify: false, would_notify_participant: false, would_notify_mentioned: false };
    return user ? found : Object.assign(found, never, { reason: NO_MAIL });
  }
}
