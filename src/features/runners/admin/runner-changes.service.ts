import { Injectable } from '@nestjs/common';
import type { Actor, ProjectSubject } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { requireChange } from '#kernel/http/fields/require-change.js';
import type { RunnerValues } from '#core/ci/runners/runner-values.js';
import { MADE_BY_PEOPLE, RunnersService, type TokenOfRunner } from '#core/ci/runners/runners.service.js';
import { RunnerPolicy } from './runner.policy.js';
import { RunnerAudit } from './runner.audit.js';
import type { RunnerAttributesParams, UpdateRunnerParams } from './runners.params.js';

const PROJECTS = 'select count(*)::int as count from ci_runner_projects where runner_id = $1';

const UNASSIGN = `with gone as (delete from ci_runner_projects where runner_id = $1 and project_id = $2 returning 1)
  select count(*)::int as count from gone`;

interface Count {
  readonly count: number;
}

/** Changes of existing runners by users. */
@Injectable()
export class RunnerChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly runners: RunnersService,
    private readonly access: RunnerPolicy,
    private readonly audit: RunnerAudit,
  ) {}

  /** Updates a runner. @throws 400, 403, 404 */
  async update(actor: Actor, params: UpdateRunnerParams): Promise<void> {
    const values = valuesOf(params);
    requireChange(values);
    await this.transactions.run(async (tx) => {
      const runner = await this.runners.lock(tx, params.id);
      await this.access.assertManagesLocked(tx, actor, params.id);
      await this.runners.update(tx, runner, values);
      const what = Object.keys(values).join(', ');
      await this.audit.record(tx, actor, runner, `Changed ${what} of the runner`, 'runner_updated');
    });
  }

  /** Removes a runner; only administrators may remove one of several projects. @throws 403, 404, 412 */
  async remove(actor: Actor, id: number, unmodified: UnmodifiedCheck): Promise<void> {
    await this.transactions.run(async (tx) => {
      const runner = await this.runners.lock(tx, id);
      await this.access.assertManagesLocked(tx, actor, id);
      const [projects] = await tx.query<Count[]>(PROJECTS, [id]);
      if (!actor.admin && (projects?.count ?? 0) > 1)
        throw forbidden('Runner associated with more than one project');
      unmodified(runner.updatedAt);
      await this.audit.record(tx, actor, runner, 'Unregistered the runner', 'runner_unregistered');
      await this.runners.remove(tx, id);
    });
  }

  /** Replaces the token of a runner. @throws 403, 404 */
  resetToken(actor: Actor, id: number): Promise<TokenOfRunner> {
    return this.transactions.run(async (tx) => {
      const runner = await this.runners.lock(tx, id);
      await this.access.assertManagesLocked(tx, actor, id);
      const prefix = runner.creatorId === null ? '' : MADE_BY_PEOPLE;
      const token = await this.runners.resetToken(tx, runner, prefix);
      await this.audit.record(tx, actor, runner, 'Reset the token of the runner', 'runner_token_reset');
      return { runner, token };
    });
  }

  /** Assigns a project runner to another project. @throws 400, 403, 404 */
  async assign(actor: Actor, project: ProjectSubject, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const runner = await this.runners.lock(tx, id);
      if (runner.runnerType === 'group_type') throw forbidden('Runner is a group runner');
      if (runner.runnerType === 'instance_type') throw forbidden('Runner is an instance runner');
      if (runner.locked && !actor.admin) throw forbidden('Runner is locked');
      await this.access.assertManagesLocked(tx, actor, id);
      await this.runners.assignTo(tx, runner, project.id);
      const scope = { type: 'Project', id: project.id, path: project.fullPath } as const;
      await this.audit.record(tx, actor, runner, 'Assigned the runner', 'runner_assigned', scope);
    });
  }

  /** Unassigns a runner from a project other than its first one. @throws 403, 404 */
  async unassign(actor: Actor, project: ProjectSubject, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const runner = await this.runners.lock(tx, id);
      const [before] = await tx.query<Count[]>(PROJECTS, [id]);
      const [gone] = await tx.query<Count[]>(UNASSIGN, [id, project.id]);
      if (!gone || gone.count === 0) throw notFound('Runner');
      if (before?.count === 1)
        throw forbidden('Only one project associated with the runner. Please remove the runner instead');
      const scope = { type: 'Project', id: project.id, path: project.fullPath } as const;
      await this.audit.record(tx, actor, runner, 'Unassigned the runner', 'runner_unassigned', scope);
    });
  }
}

/** Returns the values of the given attributes. */
export function valuesOf(
  params: RunnerAttributesParams & { readonly active?: boolean },
): Partial<RunnerValues> {
  const { active } = params;
  const values = {
    description: params.description,
    paused: params.paused ?? (active === undefined ? undefined : !active),
    tagList: params.tag_list,
    runUntagged: params.run_untagged,
    locked: params.locked,
    accessLevel: params.access_level,
    maximumTimeout: params.maximum_timeout,
    maintenanceNote: params.maintenance_note,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
