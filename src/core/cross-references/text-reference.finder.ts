import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { numbered } from '#core/notes/note-origins.service.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import { keyOf, type TextReference } from '#core/notes/references/text-references.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import type { ReferenceContext } from './written-texts.queries.js';
import { seesInternalSql } from '#core/users/person.sql.js';

/** An object that a text refers to and its author can read. */
export interface ReferencedNoteable {
  readonly type: 'Issue' | 'MergeRequest' | 'Epic';
  readonly id: number;
  readonly projectId: number | null;
  readonly groupId: number | null;
  /** Full path of its project or group. */
  readonly path: string;
}

type FoundNoteable = ReferencedNoteable & { readonly key: string };

/** Bots can read what is public, and what they are members of. */
const ACTOR = `select id, username, name, state, ${isAdminSql('u')} as admin, not ${seesInternalSql('u')} as external, user_type as "userType"
  from users u where id = $1 and state = 'active' and not pending_delete`;

const NAMED = 'unnest($1::text[], $2::text[], $3::bigint[]) named(key, path, iid)';

/** No notes are written in archived projects. */
const ofProject = (type: string, table: string): string =>
  `select named.key, '${type}' as type, t.id, p.id as "projectId", null::bigint as "groupId", p.full_path as path
  from ${NAMED} join routes r on r.source_type = 'Project' and r.path = named.path
  join projects p on p.id = r.source_id and not p.pending_delete and not p.archived
  join ${table} t on t.project_id = p.id and t.iid = named.iid where `;

const KINDS = {
  '#': { type: 'Issue', found: ofProject('Issue', 'issues') },
  '!': { type: 'MergeRequest', found: ofProject('MergeRequest', 'merge_requests') },
  '&': {
    type: 'Epic',
    found: `select named.key, 'Epic' as type, t.id, null::bigint as "projectId", g.id as "groupId", g.full_path as path
      from ${NAMED} join routes r on r.source_type = 'Namespace' and r.path = named.path
      join namespaces g on g.id = r.source_id and g.type = 'Group' and not g.pending_delete
      join epics t on t.group_id = g.id and t.iid = named.iid where `,
  },
} as const;

/** Finds the objects that texts refer to. */
@Injectable()
export class TextReferenceFinder {
  constructor(
    private readonly database: ReadDatabase,
    private readonly noteables: NoteableRegistry,
  ) {}

  /**
   * Returns the objects that the author can read, by `keyOf` of the reference; empty if the author is no
   * longer active.
   */
  async find(
    actorId: number,
    context: ReferenceContext,
    references: readonly TextReference[],
  ): Promise<ReadonlyMap<string, ReferencedNoteable>> {
    const found = new Map<string, ReferencedNoteable>();
    if (references.length === 0) return found;
    const actor = await this.database.one<Actor>(ACTOR, [actorId]);
    if (!actor) return found;
    for (const sign of ['#', '!', '&'] as const) {
      const named = references.filter((one) => one.sign === sign && pathOf(one, context) !== null);
      for (const { key, ...noteable } of await this.ofKind(sign, actor, context, named))
        found.set(key, noteable);
    }
    return found;
  }

  private async ofKind(
    sign: TextReference['sign'],
    actor: Actor,
    context: ReferenceContext,
    references: readonly TextReference[],
  ): Promise<FoundNoteable[]> {
    if (references.length === 0) return [];
    const { type, found } = KINDS[sign];
    const own = [
      references.map(keyOf),
      references.map((one) => pathOf(one, context)?.toLowerCase()),
      references.map(({ iid }) => iid),
    ];
    const { sql, values } = numbered(this.noteables.readable(type, actor, 't.id'), own.length);
    return this.database.long<FoundNoteable>(found + sql, [...own, ...values]);
  }
}

/**
 * Returns the full path of the project or group in a reference, relative to this context; null if there is
 * none. A project of the same namespace may be given by its name alone.
 */
function pathOf({ sign, path }: TextReference, context: ReferenceContext): string | null {
  const { projectPath, namespacePath, inGroup } = context;
  if (sign === '&') return path ?? (inGroup ? namespacePath : null);
  if (path === null) return projectPath;
  return path.includes('/') ? path : `${namespacePath}/${path}`;
}
