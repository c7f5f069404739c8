import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { RUNNER_BASIC_COLUMNS } from '#core/ci/runners/runner-basic.record.js';
import { managesSql } from './runner-rights.sql.js';
import type { RunnerDetailRow } from './runner.record.js';

const MAX_PROJECTS = 1000;

const PROJECTS = `(select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'description', q.description, 'name', q.name,
    'name_with_namespace', q.full_name, 'path', q.path, 'path_with_namespace', q.full_path) order by q.id), '[]') from (
  select p.* from ci_runner_projects rp join projects p on p.id = rp.project_id and not p.pending_delete
    join namespaces n on n.id = p.namespace_id where rp.runner_id = r.id and ($3::boolean or ${projectRoleSql('$2::bigint', 'p', 'n')} >= ${Role.Guest})
    order by p.id limit ${MAX_PROJECTS}) q)`;

const GROUPS = `(select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'full_path', g.full_path)), '[]')
  from ci_runner_groups rg join namespaces g on g.id = rg.group_id and not g.pending_delete where rg.runner_id = r.id)`;

const MANAGES = `($3::boolean or ${managesSql('$2::bigint')})`;

const DETAIL = `select r.id, ${RUNNER_BASIC_COLUMNS}, r.tag_list, r.run_untagged, r.locked, r.maximum_timeout, r.access_level, r.version,
    r.revision, r.platform, r.architecture, r.contacted_at, r.maintenance_note, ${MANAGES} as managed, ${PROJECTS} as projects,
    ${GROUPS} as groups from ci_runners r where r.id = $1`;

const RIGHT = `select ${MANAGES} as managed from ci_runners r where r.id = $1`;

const refused = (): Error => forbidden('No access granted');

/** Decides who may see and change runners. */
@Injectable()
export class RunnerPolicy {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a runner with details; everyone may see instance runners. @throws 403, 404 */
  async detail({ id, admin }: Actor, runnerId: number): Promise<RunnerDetailRow> {
    const row = await this.database.one<RunnerDetailRow>(DETAIL, [runnerId, id, admin]);
    if (!row) throw notFound('Runner');
    if (!row.managed && row.r_runner_type !== 'instance_type') throw refused();
    return row;
  }

  /** Asserts that the actor manages the runner. @throws 403, 404 */
  async assertManages({ id, admin }: Actor, runnerId: number): Promise<void> {
    judge(await this.database.short<{ managed: boolean }>(RIGHT, [runnerId, id, admin]));
  }

  /** Asserts this within a transaction, for a locked runner. @throws 403, 404 */
  async assertManagesLocked(tx: Tx, { id, admin }: Actor, runnerId: number): Promise<void> {
    judge(await tx.query<{ managed: boolean }[]>(RIGHT, [runnerId, id, admin]));
  }
}

function judge([row]: readonly { readonly managed: boolean }[]): void {
  if (!row) throw notFound('Runner');
  if (!row.managed) throw refused();
}
