import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DEFAULT_LEVEL } from './levels.js';
import type { NotificationSetting } from './notification-setting.record.js';

/** Project or group of a setting; null for the global one. */
export interface SettingSource {
  readonly type: 'Project' | 'Namespace';
  readonly id: number;
}

/** The global setting. */
export interface GlobalSetting extends NotificationSetting {
  /** Address for mails. */
  readonly email: string;
  /** The chosen address, or null. */
  readonly chosen_email: string | null;
  readonly notified_of_own_activity: boolean;
}

const GLOBAL = `select coalesce(s.level, '${DEFAULT_LEVEL}') as level, coalesce(s.events, '{}') as events,
    coalesce(s.notification_email, u.email) as email, s.notification_email as chosen_email,
    coalesce(s.notified_of_own_activity, false) as notified_of_own_activity
  from users u left join notification_settings s on s.user_id = u.id and s.source_type is null where u.id = $1`;

const ONE = `select s.level, s.events from notification_settings s
  where s.user_id = $1 and s.source_type = $2 and s.source_id = $3`;

/** Reads notification settings; defaults apply without a row. */
@Injectable()
export class NotificationSettingsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a user's global setting. */
  global(userId: number): Promise<GlobalSetting> {
    return this.database.always<GlobalSetting>(GLOBAL, [userId]);
  }

  /** Returns a user's setting for a project or group. */
  async find(userId: number, { type, id }: SettingSource): Promise<NotificationSetting> {
    const found = await this.database.one<NotificationSetting>(ONE, [userId, type, id]);
    return found ?? { level: 'global', events: {} };
  }
}
