import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { AccessLevelRow } from './protected-ref-access-level.record.js';
import { PROTECTION_TITLES, type RefType } from './protected-ref.entity.js';

/** A protection with all its access levels. */
export interface ProtectedRefRow {
  readonly id: number;
  readonly name: string;
  readonly allow_force_push: boolean;
  readonly code_owner_approval_required: boolean;
  readonly levels: readonly AccessLevelRow[];
}

const LIST: ListShape = {
  kind: 'ProtectedRef',
  select: `r.id, r.name, r.allow_force_push, r.code_owner_approval_required, coalesce((
    select jsonb_agg(jsonb_build_object('id', l.id, 'kind', l.kind, 'access_level', l.access_level, 'user_id', l.user_id,
      'group_id', l.group_id, 'name', coalesce(u.name, g.name)) order by l.id)
    from protected_ref_access_levels l left join users u on u.id = l.user_id left join namespaces g on g.id = l.group_id
    where l.protected_ref_id = r.id), '[]') as levels`,
  from: 'protected_refs r',
  key: 'r.id',
};

const FIND = `select ${LIST.select} from protected_refs r where r.project_id = $1 and r.ref_type = $2 and r.name = $3`;

/** Reads protected branches and tags. */
@Injectable()
export class ProtectedRefsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the protections of a project, by name. */
  list(projectId: number, type: RefType, search: string | undefined): ListQuery<ProtectedRefRow> {
    const query = new ListQuery<ProtectedRefRow>(LIST)
      .of('r.project_id', projectId)
      .where('r.ref_type = ?', type);
    if (search) query.where('strpos(lower(r.name), lower(?)) > 0', search);
    return query.orderBy('r.name', 'asc');
  }

  /** Returns the protection with exactly this name or pattern. @throws 404 */
  async find(projectId: number, type: RefType, name: string): Promise<ProtectedRefRow> {
    const row = await this.findOrNull(projectId, type, name);
    if (!row) throw notFound(PROTECTION_TITLES[type]);
    return row;
  }

  /** Returns it, or null. */
  findOrNull(projectId: number, type: RefType, name: string): Promise<ProtectedRefRow | null> {
    return this.database.one<ProtectedRefRow>(FIND, [projectId, type, name]);
  }
}
