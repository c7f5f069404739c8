import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { admits } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { forbidden, missingAttribute, notFound } from '#kernel/http/errors.js';
import type { AuditScope } from '#core/audit/audit-log.service.js';
import {
  MADE_BY_PEOPLE,
  RunnersService,
  type RunnerContainer,
  type TokenOfRunner,
} from '#core/ci/runners/runners.service.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { RunnerAudit } from '../runner.audit.js';
import { valuesOf } from '../runner-changes.service.js';
import type { CreateRunnerParams } from '../runners.params.js';

const PROJECT = `select p.full_path as path, p.visibility, ${projectRoleSql('$2::bigint', 'p', 'n')} as role
  from projects p join namespaces n on n.id = p.namespace_id where p.id = $1 and not p.pending_delete for no key update of p`;

const GROUP = `select g.full_path as path, g.visibility, ${groupRoleSql('$2::bigint', 'g')} as role
  from namespaces g where g.id = $1 and g.type = 'Group' and not g.pending_delete for no key update of g`;

interface Row {
  readonly path: string;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly role: Role;
}

/** Creates runners for users: first the runner here, then the program with its token. */
@Injectable()
export class CreateRunner {
  constructor(
    private readonly transactions: Transactions,
    private readonly runners: RunnersService,
    private readonly audit: RunnerAudit,
  ) {}

  /** Creates a runner. @throws 400, 403, 404 */
  run(actor: Actor, params: CreateRunnerParams): Promise<TokenOfRunner> {
    const container = containerOf(params);
    return this.transactions.run(async (tx) => {
      const scope = await containerScope(tx, actor, container);
      const options = { prefix: MADE_BY_PEOPLE, creatorId: actor.id };
      const made = await this.runners.create(tx, container, valuesOf(params), options);
      await this.audit.record(tx, actor, made.runner, 'Created the runner', 'runner_created', scope);
      return made;
    });
  }
}

function containerOf({
  runner_type: type,
  group_id: groupId,
  project_id: projectId,
}: CreateRunnerParams): RunnerContainer {
  if (type === 'instance_type') return { type };
  if (type === 'group_type') {
    if (groupId === undefined) throw missingAttribute('group_id');
    return { type, groupId };
  }
  if (projectId === undefined) throw missingAttribute('project_id');
  return { type, projectId };
}

/** Locks the owner of the runner. @throws 403, 404 */
async function containerScope(
  tx: Tx,
  actor: Actor,
  container: RunnerContainer,
): Promise<AuditScope | undefined> {
  if (container.type === 'instance_type') {
    if (!actor.admin) throw forbidden();
    return undefined;
  }
  const isGroup = container.type === 'group_type';
  const kind = isGroup ? 'Group' : 'Project';
  const id = isGroup ? container.groupId : container.projectId;
  const [row] = await tx.query<Row[]>(isGroup ? GROUP : PROJECT, [id, actor.id]);
  if (!row || !isSeen(row, actor)) throw notFound(kind);
  if (!actor.admin && row.role < (isGroup ? Role.Owner : Role.Maintainer)) throw forbidden();
  return { type: kind, id, path: row.path };
}

const isSeen = ({ visibility, role }: Row, actor: Actor): boolean =>
  actor.admin || role > Role.None || admits(visibility, actor);
