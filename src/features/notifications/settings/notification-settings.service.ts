import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { UsersService } from '#core/users/users.service.js';
import { DEFAULT_LEVEL, type Level } from './levels.js';
import type { EventSwitches } from './mail-events.js';
import type { SettingSource } from './notification-settings.queries.js';

/** A change of a setting; undefined for no change. */
export interface SettingChange {
  readonly level?: Level | undefined;
  readonly events?: EventSwitches;
  /** Null for the primary address. Only for groups and the global setting. */
  readonly email?: string | null | undefined;
  /** Only for the global setting. */
  readonly ownActivity?: boolean | undefined;
}

const SAVE = `insert into notification_settings as s
    (user_id, source_type, source_id, level, events, notification_email, notified_of_own_activity)
  values ($1, $2::text, $3, coalesce($4::text, case when $2::text is null then '${DEFAULT_LEVEL}' else 'global' end), $5,
    $7, coalesce($8::boolean, false))
  on conflict (user_id, source_type, source_id) do update set level = coalesce($4::text, s.level), events = s.events || $5,
    notification_email = case when $6::boolean then $7 else s.notification_email end,
    notified_of_own_activity = coalesce($8::boolean, s.notified_of_own_activity), updated_at = now()`;

const CONFIRMED = `select email from (
    select email, confirmed_at from users where id = $1 union all select email, confirmed_at from user_emails where user_id = $1) a
  where lower(email) = lower($2) and confirmed_at is not null`;

/** Locks the source: its removal also removes its settings, after which none may be added. */
const SOURCES = {
  Project: ['Project', 'select 1 from projects where id = $1 and not pending_delete for key share'],
  Namespace: ['Group', 'select 1 from namespaces where id = $1 and not pending_delete for key share'],
} as const;

/** Manages notification settings (`planning.md` 2.2). */
@Injectable()
export class NotificationSettingsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
  ) {}

  /** Applies the whole change or nothing. @throws 400 if the user has not confirmed the address, 404 */
  async change(userId: number, source: SettingSource | null, change: SettingChange): Promise<void> {
    const { level, events = {}, email, ownActivity } = change;
    const isEmpty = Object.keys(events).length === 0;
    if (level === undefined && email === undefined && ownActivity === undefined && isEmpty) return;
    await this.transactions.run(async (tx) => {
      if (source) await assertThere(tx, source);
      const address = email ? await this.confirmed(tx, userId, email) : null;
      await tx.query(SAVE, [
        userId,
        source?.type ?? null,
        source?.id ?? null,
        level ?? null,
        JSON.stringify(events),
        email !== undefined,
        address,
        ownActivity ?? null,
      ]);
    });
  }

  /** Removes a user's setting for a project or group. */
  async forget(tx: Tx, userId: number, { type, id }: SettingSource): Promise<void> {
    const values = [userId, type, id];
    await tx.query(
      'delete from notification_settings where user_id = $1 and source_type = $2 and source_id = $3',
      values,
    );
  }

  /** Returns the address as confirmed by the user; it cannot be removed before the end of the transaction. */
  private async confirmed(tx: Tx, userId: number, email: string): Promise<string> {
    await this.users.findForUpdate(tx, userId);
    const [found] = await tx.query<{ email: string }[]>(CONFIRMED, [userId, email]);
    if (!found) throw invalid({ notification_email: ['must be an email you have verified'] });
    return found.email;
  }
}

async function assertThere(tx: Tx, { type, id }: SettingSource): Promise<void> {
  const [kind, lock] = SOURCES[type];
  const found = await tx.query<unknown[]>(lock, [id]);
  if (found.length === 0) throw notFound(kind);
}
