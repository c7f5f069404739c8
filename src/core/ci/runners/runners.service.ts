import { Injectable } from '@nestjs/common';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import type { Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { LOCK_PROJECT } from '#core/projects/writes/lock-project.sql.js';
import { assertRunnerValues, type RunnerValues } from './runner-values.js';
import { tidyTags } from './tidy-tags.js';
import { Runner } from './runner.entity.js';

/** Owner of a new runner. */
export type RunnerContainer =
  | { readonly type: 'instance_type' }
  | { readonly type: 'group_type'; readonly groupId: number }
  | { readonly type: 'project_type'; readonly projectId: number };

/** A new runner, or one with a new token: the only time the token is known. */
export interface TokenOfRunner {
  readonly runner: Runner;
  readonly token: string;
}

/** Prefix of the tokens of runners created by users; registered runners have none. */
export const MADE_BY_PEOPLE = 'glrt-';

/** Earlier releases stored unbounded intervals; limit them to a valid time. */
const EXPIRY = `select now() + make_interval(secs => least(interval.secs, 3e9)) as at
  from (select min((p.settings ->> 'runner_token_expiration_interval')::float8) as secs
    from ci_runner_projects rp join projects p on p.id = rp.project_id where rp.runner_id = $1) interval
  where interval.secs is not null`;

const IN_PROJECT = {
  lock: LOCK_PROJECT,
  count: 'select count(*)::int as count from ci_runner_projects where project_id = $1',
};
const IN_GROUP = {
  lock: 'select 1 from namespaces where id = $1 for no key update',
  count: 'select count(*)::int as count from ci_runner_groups where group_id = $1',
};

const DEFAULTS: RunnerValues = {
  description: null,
  maintenanceNote: null,
  paused: false,
  locked: false,
  runUntagged: true,
  accessLevel: 'not_protected',
  maximumTimeout: null,
  tagList: [],
};

/** Creates, changes and removes runners. */
@Injectable()
export class RunnersService {
  constructor(private readonly settings: SettingsService) {}

  /** Creates a runner. `prefix`: that of its token; `creatorId`: the user who creates it. @throws 400 */
  async create(
    tx: Tx,
    container: RunnerContainer,
    values: Partial<RunnerValues>,
    { prefix = '', creatorId = null }: { prefix?: string; creatorId?: number | null } = {},
  ): Promise<TokenOfRunner> {
    const runner = Object.assign(new Runner(), DEFAULTS, { runnerType: container.type, creatorId });
    this.assign(runner, values);
    const token = this.newToken(runner, prefix);
    if (container.type === 'project_type') await this.assertRoomInProject(tx, container.projectId);
    if (container.type === 'group_type') await this.assertRoomInGroup(tx, container.groupId);
    const { id } = await tx.save(runner);
    if (container.type === 'project_type') {
      await this.link(tx, id, container.projectId);
      await this.setExpiry(tx, runner);
    } else if (container.type === 'group_type')
      await tx.query('insert into ci_runner_groups (runner_id, group_id) values ($1, $2)', [
        id,
        container.groupId,
      ]);
    return { runner, token };
  }

  /** Locks a runner. @throws 404 */
  async lock(tx: Tx, id: number): Promise<Runner> {
    const runner = await tx.findOne(Runner, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!runner) throw notFound('Runner');
    return runner;
  }

  /** Updates a locked runner. @throws 400 */
  async update(tx: Tx, runner: Runner, values: Partial<RunnerValues>): Promise<void> {
    this.assign(runner, values);
    await tx.save(runner);
  }

  /** Gives a locked runner a new token; the former one becomes invalid with the commit. */
  async resetToken(tx: Tx, runner: Runner, prefix: string): Promise<string> {
    const token = this.newToken(runner, prefix);
    await tx.update(Runner, { id: runner.id }, { tokenDigest: runner.tokenDigest });
    await this.setExpiry(tx, runner);
    return token;
  }

  /** Assigns a runner to another project. @throws 400 if it is already assigned */
  async assignTo(tx: Tx, runner: Runner, projectId: number): Promise<void> {
    await this.assertRoomInProject(tx, projectId);
    if (!(await this.link(tx, runner.id, projectId)))
      throw invalid({ runner_id: ['has already been taken'] });
  }

  /** Removes a runner; its jobs lose the reference to it. */
  async remove(tx: Tx, id: number): Promise<void> {
    await tx.delete(Runner, { id });
  }

  private assign(runner: Runner, values: Partial<RunnerValues>): void {
    Object.assign(runner, values);
    runner.tagList = tidyTags(runner.tagList);
    assertRunnerValues(runner);
  }

  private newToken(runner: Runner, prefix: string): string {
    const token = randomToken(prefix);
    runner.tokenDigest = digestToken(token);
    return token;
  }

  private async link(tx: Tx, runnerId: number, projectId: number): Promise<boolean> {
    const rows = await tx.query<object[]>(
      'insert into ci_runner_projects (runner_id, project_id) values ($1, $2) on conflict do nothing returning 1',
      [runnerId, projectId],
    );
    return rows.length > 0;
  }

  /** Tokens of project runners expire by the strictest setting of their projects. */
  private async setExpiry(tx: Tx, runner: Runner): Promise<void> {
    const [row] = await tx.query<{ at: Date | null }[]>(EXPIRY, [runner.id]);
    runner.tokenExpiresAt = row?.at ?? null;
    await tx.update(Runner, { id: runner.id }, { tokenExpiresAt: runner.tokenExpiresAt });
  }

  private async assertRoomInProject(tx: Tx, projectId: number): Promise<void> {
    const { ci_registered_project_runners: limit } = this.settings.limits;
    await assertRoom(tx, IN_PROJECT, projectId, limit, 'project');
  }

  private async assertRoomInGroup(tx: Tx, groupId: number): Promise<void> {
    const { ci_registered_group_runners: limit } = this.settings.limits;
    await assertRoom(tx, IN_GROUP, groupId, limit, 'group');
  }
}

/** The lock makes those wait who add a runner at the same time: they could not see each other's. */
async function assertRoom(
  tx: Tx,
  container: typeof IN_PROJECT,
  id: number,
  limit: number,
  kind: string,
): Promise<void> {
  if (limit === 0) return;
  await tx.query(container.lock, [id]);
  const [row] = await tx.query<{ count: number }[]>(container.count, [id]);
  if ((row?.count ?? 0) >= limit)
    throw invalid({
      base: [`Maximum number of ci registered ${kind} runners (${limit}) exceeded`],
    });
}
