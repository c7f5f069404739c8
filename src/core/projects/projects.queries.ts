import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller, Actor } from '#kernel/access/caller.js';
import { seesRegistrationTokens } from '#kernel/access/credential-bounds.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { RunnersTokenService } from '#core/groups/settings/runners-token.service.js';
import { presentProject, presentProjectWithAccess } from './records/project.presenter.js';
import { presentSimpleProject } from './records/project-simple.presenter.js';
import type { AnyProjectRecord, ProjectRecord } from './records/project.record.js';
import {
  FULL_COLUMNS,
  PROJECT_FROM,
  SIMPLE_COLUMNS,
  STATISTICS,
  STATISTICS_COLUMNS,
  type ProjectRow,
  type ProjectSimpleRow,
} from './project.row.js';

const ME = 'cross join (select $2::bigint as id, $3::boolean as admin, $4::boolean as internal) me';
const BY_ID = 'where p.id = $1 and not p.pending_delete';
const SIMPLE = `select ${SIMPLE_COLUMNS} from ${PROJECT_FROM} ${BY_ID}`;
const FULL = `select ${FULL_COLUMNS} from ${PROJECT_FROM} ${ME} ${BY_ID}`;
const SIZED = `select ${FULL_COLUMNS}, ${STATISTICS_COLUMNS} from ${PROJECT_FROM} ${ME} ${STATISTICS} ${BY_ID}`;

const NAMED = `select p.id from projects p where not p.pending_delete and p.id = case when $1 ~ '^[0-9]{1,18}$' then $1::bigint
  else (select r.source_id from routes r where r.path = lower($1) and r.source_type = 'Project') end`;

/** Reads single projects as records; callers have checked the access. */
@Injectable()
export class ProjectsQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly links: Links,
    private readonly runnersToken: RunnersTokenService,
  ) {}

  /** Returns the record that a write responds with. */
  async record(id: number, caller: UserCaller): Promise<ProjectRecord> {
    const row = await this.row(id, caller.actor);
    return Object.assign(
      presentProject(row, viewerOf(caller), this.links),
      await this.secretsOf(row, caller),
    );
  }

  /** Returns the record with the caller's roles, or the simple form for anonymous callers. */
  async recordForReading(id: number, caller: Caller, withStatistics: boolean): Promise<AnyProjectRecord> {
    const { actor } = caller;
    if (actor) {
      const row = await this.row(id, actor, withStatistics);
      const record = presentProjectWithAccess(row, viewerOf(caller), this.links);
      return { ...record, ...(await this.secretsOf(row, caller)) };
    }
    const row = await this.database.one<ProjectSimpleRow>(SIMPLE, [id]);
    if (!row) throw notFound('Project');
    return presentSimpleProject(row, this.links);
  }

  /** Returns the id of a project by id or path. @throws 404 */
  async findId(idOrPath: string): Promise<number> {
    const project = await this.database.one<{ id: number }>(NAMED, [idOrPath]);
    if (!project) throw notFound('Project');
    return project.id;
  }

  /** Returns the share of each programming language in percent, the largest first. */
  async languages(id: number): Promise<Record<string, number>> {
    const row = await this.database.one<{ languages: Record<string, number> }>(
      'select languages from projects where id = $1',
      [id],
    );
    // jsonb does not preserve the order.
    const shares = Object.entries(row?.languages ?? {}).sort(([, left], [, right]) => right - left);
    return Object.fromEntries(shares);
  }

  private async secretsOf(
    { id, role, runners_token: sealed }: ProjectRow,
    { credential }: Caller,
  ): Promise<Pick<ProjectRecord, 'runners_token'>> {
    if (role < Role.Maintainer) return {};
    const isShown = seesRegistrationTokens(credential);
    return {
      runners_token: isShown ? await this.runnersToken.reveal({ kind: 'Project', id }, sealed) : null,
    };
  }

  private async row(id: number, actor: Actor, withStatistics = false): Promise<ProjectRow> {
    const values = [id, actor.id, actor.admin, !actor.external];
    const row = await this.database.one<ProjectRow>(withStatistics ? SIZED : FULL, values);
    if (!row) throw notFound('Project');
    return row;
  }
}

const viewerOf = ({ actor, tier }: Caller): { admin: boolean; tier: Caller['tier'] } => ({
  admin: actor?.admin === true,
  tier,
});
