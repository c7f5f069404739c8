import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import type { EventSwitches } from '#features/notifications/settings/mail-events.js';
import type { Level } from '#features/notifications/settings/levels.js';
import { seesInternalSql } from '#core/users/person.sql.js';

/** A group or project with its notification setting. */
export interface NotificationSourceRow {
  readonly id: number;
  readonly full_name: string;
  readonly full_path: string;
  readonly level: Level;
  readonly events: EventSwitches;
  readonly notification_email: string | null;
}

/** Number of groups and of projects on the first page. */
export const FIRST_SOURCES = 20;

const COLUMNS = `x.id, x.full_name, x.full_path, coalesce(s.level, 'global') as level, coalesce(s.events, '{}') as events,
  s.notification_email`;

const OPEN = `x.visibility = 'public' or (x.visibility = 'internal' and ${seesInternalSql('u')})`;

/**
 * Sources of each kind with the setting of user `u` and whether the user can see them: access may have been
 * lost since.
 */
const SOURCES = {
  groups: {
    type: 'Namespace',
    from: `users u join namespaces x on x.type = 'Group' and not x.pending_delete`,
    visible: `${OPEN} or ${groupRoleSql('u.id', 'x')} > 0`,
  },
  projects: {
    type: 'Project',
    from: 'users u join projects x on not x.pending_delete join namespaces n on n.id = x.namespace_id',
    visible: `${OPEN} or ${projectRoleSql('u.id', 'x', 'n')} > 0`,
  },
} as const;

/** Kind of notification source. */
export type SourceKind = keyof typeof SOURCES;

const settingOf = (type: string): string =>
  `left join notification_settings s on s.user_id = u.id and s.source_type = '${type}' and s.source_id = x.id`;

const OWN_PROJECTS = `union select p.id from namespaces o join projects p on p.namespace_id = o.id
  where o.owner_id = caller.id`;

/** SQL condition: the user is a member, is the owner, or has a setting. */
const ownOf = (
  type: string,
): string => `x.id in (select own.id from (select ?::bigint as id) caller cross join lateral (
  select m.source_id as id from members m where m.user_id = caller.id and m.source_type = '${type}'
    and (m.expires_at is null or m.expires_at > current_date)
  union select c.source_id from notification_settings c where c.user_id = caller.id and c.source_type = '${type}'
  ${type === 'Project' ? OWN_PROJECTS : ''}) own)`;

const shapeOf = ({ type, from }: { type: string; from: string }): ListShape => ({
  kind: 'NotificationSource',
  select: COLUMNS,
  from: `${from} ${settingOf(type)}`,
  countFrom: from,
  key: 'x.id',
});

/** Queries for the groups and projects of the notification pages. */
@Injectable()
export class NotificationSourcesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the sources of a user, by path. */
  list({ id: userId, admin }: Actor, kind: SourceKind): ListQuery<NotificationSourceRow> {
    const source = SOURCES[kind];
    return new ListQuery<NotificationSourceRow>(shapeOf(source))
      .where(ownOf(source.type), userId)
      .where(`u.id = ? and (?::boolean or ${source.visible})`, userId, admin)
      .orderByExpression('x.full_path, x.id')
      .long();
  }

  /** Returns the first of them, plus one to tell whether there are more. */
  first(user: Actor, kind: SourceKind): Promise<NotificationSourceRow[]> {
    const { text, values } = this.list(user, kind).pageStatement(FIRST_SOURCES + 1, 0);
    return this.database.long<NotificationSourceRow>(text, values);
  }

  /** Finds a source that the user can see, or null. */
  find({ id: userId, admin }: Actor, kind: SourceKind, id: number): Promise<NotificationSourceRow | null> {
    const { type, from, visible } = SOURCES[kind];
    const text = `select ${COLUMNS} from ${from} ${settingOf(type)} where u.id = $1 and x.id = $2 and ($3::boolean or ${visible})`;
    return this.database.one<NotificationSourceRow>(text, [userId, id, admin]);
  }
}
