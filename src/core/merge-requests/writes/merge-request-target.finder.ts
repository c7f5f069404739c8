import { Injectable } from '@nestjs/common';
import type { ProjectCaller } from '#kernel/access/caller.js';
import { admits, mayUsePart } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, HttpError, notFound } from '#kernel/http/errors.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';

/** The target project of a merge request. */
export interface MergeRequestTarget {
  readonly id: number;
  readonly fullPath: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The caller's role in it. */
  readonly role: Role;
}

interface Row {
  readonly id: number;
  readonly full_path: string;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly archived: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly role: Role;
  readonly is_related: boolean;
}

/** Forks of each other, at any distance. */
const RELATED = `with recursive sources as (
    select id, forked_from_id from projects where id = $3
    union select o.id, o.forked_from_id from projects o join sources s on o.id = s.forked_from_id),
  targets as (
    select id, forked_from_id from projects where id = $1
    union select o.id, o.forked_from_id from projects o join targets s on o.id = s.forked_from_id)
  select 1 from sources join targets using (id)`;

const FIND = `select p.id, p.full_path, p.visibility, p.archived, p.settings, ${projectRoleSql('$2::bigint', 'p', 'n')} as role,
    exists (${RELATED}) as is_related
  from projects p join namespaces n on n.id = p.namespace_id where p.id = $1 and not p.pending_delete`;

/** Error 422 with a list of texts, as v4 clients expect for merge requests. */
export const unprocessable = (...texts: readonly string[]): HttpError =>
  new HttpError(422, { message: texts });

/** Finds the target project of a new merge request. */
@Injectable()
export class MergeRequestTargetFinder {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Finds the project by id, or the caller's own. @throws 404 if the caller cannot see it, 403 if they may
   * not create merge requests there, 422 if it is unrelated
   */
  async find(caller: ProjectCaller, targetId: number | undefined): Promise<MergeRequestTarget> {
    const { actor, subject: source } = caller;
    const values = [targetId ?? source.id, actor?.id ?? null, source.id];
    const row = await this.database.one<Row>(FIND, values);
    const role = actor?.admin ? Role.Admin : (row?.role ?? Role.None);
    const isOpen = admits(row?.visibility, actor);
    if (!row || (role < Role.Guest && !isOpen)) throw notFound('Project');
    const access = { role, subject: { ...source, settings: row.settings } };
    const isUsable = mayUsePart(access, 'merge_requests') && mayUsePart(access, 'repository');
    if (!isUsable || row.archived || (role < Role.Reporter && !isOpen)) throw forbidden();
    if (!row.is_related) throw unprocessable('Source project is not a fork of the target project');
    return { id: row.id, fullPath: row.full_path, settings: row.settings, role };
  }
}
