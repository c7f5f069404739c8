import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { UserCaller } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { countSql, type GroupMetric } from './group-activity.sql.js';
import type { CountGroupActivityParams } from './group-activity.params.js';

const DAY_MS = 86_400_000;
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/** Smaller counts are cheap, and not cached. */
const WORTH_REMEMBERING = 10_000;

/** Counts activity in groups; caches large counts for a minute per caller. */
@Injectable()
export class GroupActivityQueries {
  private readonly remembered = new LRUCache<string, number>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });

  constructor(
    private readonly database: ReadDatabase,
    private readonly settings: SettingsService,
  ) {}

  /** Returns the count for the caller's group. */
  async count(metric: GroupMetric, caller: UserCaller, params: CountGroupActivityParams): Promise<number> {
    const { subject, actor, role } = caller;
    const groupId = subject?.id ?? 0;
    const { created_after: after, created_before: until = null } = params;
    const days = this.settings.values.group_activity_window_days;
    const key = [metric, groupId, actor.id, actor.admin, role, days, after?.getTime(), until?.getTime()].join(
      ' ',
    );
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const from = after ?? new Date(Math.max(0, (until?.getTime() ?? Date.now()) - days * DAY_MS));
    const total = await this.run(countSql(metric, caller, { groupId, from, until }));
    if (total >= WORTH_REMEMBERING) this.remembered.set(key, total);
    return total;
  }

  private async run({ sql, values }: ReturnType<typeof countSql>): Promise<number> {
    let index = 0;
    const text = sql.replace(/\?/g, () => `$${(index += 1)}`);
    const [row] = await this.database.long<{ total: number }>(text, values);
    return row?.total ?? 0;
  }
}
