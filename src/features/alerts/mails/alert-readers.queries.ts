import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { projectManagersSql } from '#core/members/sql/managers.sql.js';
import { mailsOffSql } from '#core/projects/settings/mails-off.sql.js';

/** Who is told of alerts, and under which address. */
export interface AlertReader {
  readonly userId: number;
  readonly address: string;
}

/** More maintainers than a project has. */
const MAX_READERS = 1_000;

/** The nearest setting counts: of the project, of the groups upwards, of everywhere. */
const nearest = (column: string, condition: string): string =>
  `(select s.${column} from notification_settings s where s.user_id = u.id and ${condition} and (s.source_type is null
      or (s.source_type = 'Project' and s.source_id = p.id) or (s.source_type = 'Namespace' and s.source_id = any(n.traversal_ids)))
    order by s.source_type is not distinct from 'Project' desc,
      case when s.source_type = 'Namespace' then array_position(n.traversal_ids, s.source_id) end desc nulls last limit 1)`;

/** People who can be written to at all, are Maintainers now, and have not switched off the mails of the project. */
const READERS = `select u.id as "userId", coalesce(${nearest('notification_email', 's.notification_email is not null')}, u.email) as address
  from projects p join namespaces n on n.id = p.namespace_id
    cross join ${projectManagersSql('p', 'n')}
  where p.id = $1 and ($2::bigint is null or u.id = $2) and not p.archived and not p.pending_delete and not ${mailsOffSql('p.id', 'n.traversal_ids')}
    and coalesce(${nearest('level', `s.level <> 'global'`)}, 'participating') <> 'disabled'
  order by u.id limit ${MAX_READERS}`;

/** Who is told of alerts of a project: its Maintainers and Owners (`ops.md` 5.6). */
@Injectable()
export class AlertReadersQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** All of them. */
  of(projectId: number): Promise<AlertReader[]> {
    return this.database.long<AlertReader>(READERS, [projectId, null]);
  }

  /** The address of one of them, as it is now; null for who may no longer be told, or no longer wants it. */
  async addressNow(projectId: number, userId: number): Promise<string | null> {
    const [reader] = await this.database.long<AlertReader>(READERS, [projectId, userId]);
    return reader?.address ?? null;
  }
}
