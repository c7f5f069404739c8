import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { projectManagersSql } from '#core/members/sql/managers.sql.js';
import { mailsOffSql } from '#core/projects/settings/mails-off.sql.js';

/** A recipient of alert mails, with the address. */
export interface AlertReader {
  readonly userId: number;
  readonly address: string;
}

/** Above the number of maintainers of any project. */
const MAX_READERS = 1_000;

/** SQL for the nearest setting: of the project, of the groups upwards, or the global one. */
const nearest = (column: string, condition: string): string =>
  `(select s.${column} from notification_settings s where s.user_id = u.id and ${condition} and (s.source_type is null
      or (s.source_type = 'Project' and s.source_id = p.id) or (s.source_type = 'Namespace' and s.source_id = any(n.traversal_ids)))
    order by s.source_type is not distinct from 'Project' desc,
      case when s.source_type = 'Namespace' then array_position(n.traversal_ids, s.source_id) end desc nulls last limit 1)`;

/** Maintainers who can receive mail and have not disabled it for the project. */
const READERS = `select u.id as "userId", coalesce(${nearest('notification_email', 's.notification_email is not null')}, u.email) as address
  from projects p join namespaces n on n.id = p.namespace_id
    cross join ${projectManagersSql('p', 'n')}
  where p.id = $1 and ($2::bigint is null or u.id = $2) and not p.archived and not p.pending_delete and not ${mailsOffSql('p.id', 'n.traversal_ids')}
    and coalesce(${nearest('level', `s.level <> 'global'`)}, 'participating') <> 'disabled'
  order by u.id limit ${MAX_READERS}`;

/** Finds the recipients of alert mails of a project: its Maintainers and Owners (`ops.md` 5.6). */
@Injectable()
export class AlertReadersQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns all of them. */
  of(projectId: number): Promise<AlertReader[]> {
    return this.database.long<AlertReader>(READERS, [projectId, null]);
  }

  /**
   * Returns the present address of one of them; null if the user may no longer be notified, or has disabled
   * mails.
   */
  async addressNow(projectId: number, userId: number): Promise<string | null> {
    const [reader] = await this.database.long<AlertReader>(READERS, [projectId, userId]);
    return reader?.address ?? null;
  }
}
