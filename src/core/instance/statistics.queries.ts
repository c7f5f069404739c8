import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';

const ACTIVE_USERS = `select count(*) as total from users where state = 'active' and user_type = 'human'`;

/** Counts besides those of whole tables. */
const COUNTS: Readonly<Record<string, string>> = {
  forks: 'select count(*) as total from projects where forked_from_id is not null',
  users: `select count(*) as total from users where user_type not in ('ghost', 'alert_bot')`,
  groups: `select count(*) as total from namespaces where type = 'Group'`,
  active_users: ACTIVE_USERS,
  ...Object.fromEntries(
    // Tables of which all rows count.
    ['issues', 'merge_requests', 'notes', 'snippets', 'ssh_keys', 'milestones', 'projects'].map((table) => [
      table,
      `select count(*) as total from ${table}`,
    ]),
  ),
};

/** Counts objects of the instance. */
@Injectable()
export class StatisticsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Counts the users that a license counts. */
  async activeUsers(): Promise<number> {
    const [row] = await this.database.long<{ total: number }>(ACTIVE_USERS, []);
    return row?.total ?? 0;
  }

  /** Returns all counts. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const columns = Object.entries(COUNTS).map(([name, text]) => `(${text}) as ${name}`);
    const [row] = await this.database.long<Record<string, number>>(`select ${columns.join(', ')}`, []);
    return new Map(Object.entries(row ?? {}));
  }
}
