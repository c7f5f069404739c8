import { Injectable } from '@nestjs/common';
import type { Caller, ProjectCaller } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { MergeRequestRelationsService } from '../../writes/merge-request-relations.service.js';
import type {
  ApprovalRuleRow,
  CreateApprovalRuleParams,
  UpdateApprovalRuleParams,
} from './approval-rule.record.js';
import { meSql, RULE_USERS, SEEN } from '../approvals.queries.js';
import { userJson } from '#core/users/records/user-basic.sql.js';

const USERS = `(select coalesce(jsonb_agg(${userJson('u')}
  order by u.id), '[]') from approval_rule_users ru join users u on u.id = ru.user_id where ru.approval_rule_id = r.id)`;

const GROUPS = `(select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'full_path', g.full_path) order by g.id), '[]')
  from approval_rule_groups rg join namespaces g on g.id = rg.group_id and not g.pending_delete where rg.approval_rule_id = r.id and ${SEEN})`;

const SHAPE: ListShape = {
  kind: 'ApprovalRule',
  select: `r.id, r.name, r.rule_type, r.approvals_required, ${RULE_USERS} as eligible, ${USERS} as users, ${GROUPS} as groups,
    (select count(*)::int from approval_rule_groups rg where rg.approval_rule_id = r.id) as group_count`,
  from: 'approval_rules r',
  key: 'r.id',
};

/** Tables of the users and groups of a rule, with the columns that name them. */
const PEOPLE = [
  ['approval_rule_users', 'user_id'],
  ['approval_rule_groups', 'group_id'],
] as const;

const SEEN_GROUPS = `select g.id from namespaces g cross join ${meSql('$2', '$3')}
  where g.id = any($1::bigint[]) and g.type = 'Group' and not g.pending_delete and ${SEEN} for key share of g`;

/** Owner of a rule: the id of a merge request, or null for the caller's project. */
export type RuleOwner = number | null;

type AuditedRule = Pick<ApprovalRuleRow, 'id' | 'name' | 'approvals_required'>;

/** Limit of rules of a project or merge request: their state is always evaluated and shown whole. */
const MAX_RULES = 100;

/** Requests at once are counted one after the other. */
const TURN = `select pg_advisory_xact_lock(hashtextextended('approval rules ' || $1::text || ' ' || coalesce($2::text, ''), 0))`;

/** Keeps the merge request until its rule is stored: it may be removed after the route has found it. */
const KEEP_OWNER = 'select 1 from merge_requests where id = $1 for key share';

const COUNT =
  'select count(*)::int as count from approval_rules where project_id = $1 and merge_request_id is not distinct from $2::bigint';

const OF_OWNER = 'project_id = $2 and merge_request_id is not distinct from $3::bigint';

/**
 * Manages the approval rules of projects and merge requests; `owner` is the id of the merge request, null for
 * the project.
 */
@Injectable()
export class ApprovalRulesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly relations: MergeRequestRelationsService,
    private readonly audit: AuditLogService,
  ) {}

  list({ actor, subject }: Caller, owner: RuleOwner = null): ListQuery<ApprovalRuleRow> {
    const id = actor?.id ?? null;
    const query = new ListQuery<ApprovalRuleRow>(SHAPE).join(
      `cross join ${meSql('?', '?')}`,
      id,
      actor?.admin === true,
      id,
    );
    const projectId = subject?.id ?? 0;
    if (owner !== null) return query.of('r.merge_request_id', owner).where('r.project_id = ?', projectId);
    // As in the index of names.
    return query.of('r.project_id', projectId).where('coalesce(r.merge_request_id, 0) = 0');
  }

  /** Returns a rule. @throws 404 */
  async find(caller: Caller, id: number, owner: RuleOwner = null): Promise<ApprovalRuleRow> {
    const { text, values } = this.list(caller, owner).where('r.id = ?', id).pageStatement(1, 0);
    const row = await this.database.one<ApprovalRuleRow>(text, values);
    if (!row) throw notFound('Approval Rule');
    return row;
  }

  /** Creates a rule and returns its id. @throws 400 if its name is taken, or there are too many; 404 */
  create(caller: ProjectCaller, params: CreateApprovalRuleParams, owner: RuleOwner = null): Promise<number> {
    const { id: projectId } = caller.subject;
    return this.write(async (tx) => {
      await assertRoom(tx, projectId, owner);
      const rows = await tx.query<{ id: number }[]>(
        'insert into approval_rules (project_id, name, approvals_required, rule_type, merge_request_id) values ($1, $2, $3, $4, $5) returning id',
        [projectId, params.name, params.approvals_required, params.rule_type ?? 'regular', owner],
      );
      const id = (rows[0] as { id: number }).id;
      await this.setPeople(tx, caller, id, params);
      const { name, approvals_required } = params;
      if (owner === null) await this.record(tx, caller, { id, name, approvals_required }, 'created');
      return id;
    });
  }

  /**
   * Copies a rule of the project to a merge request and returns its id. @throws 400 if its name is taken, or
   * there are too many; 404
   */
  copy(
    { subject }: Caller,
    source: Pick<ApprovalRuleRow, 'id' | 'name' | 'rule_type'>,
    required: number,
    owner: number,
  ): Promise<number> {
    return this.write(async (tx) => {
      await assertRoom(tx, subject?.id ?? 0, owner);
      const rows = await tx.query<{ id: number }[]>(
        'insert into approval_rules (project_id, merge_request_id, name, rule_type, approvals_required) values ($1, $2, $3, $4, $5) returning id',
        [subject?.id ?? 0, owner, source.name, source.rule_type, required],
      );
      const { id } = rows[0] as { id: number };
      for (const [table, column] of PEOPLE)
        await tx.query(
          `insert into ${table} (approval_rule_id, ${column}) select $1::bigint, ${column} from ${table} where approval_rule_id = $2 order by ${column}`,
          [id, source.id],
        );
      return id;
    });
  }

  /** Updates a rule; what it already has is not a change. @throws 400, 404 */
  async update(
    caller: ProjectCaller,
    params: UpdateApprovalRuleParams,
    owner: RuleOwner = null,
  ): Promise<void> {
    const { id: projectId } = caller.subject;
    const { approval_rule_id: id } = params;
    await this.write(async (tx) => {
      const [former] = await tx.query<Pick<ApprovalRuleRow, 'name' | 'approvals_required'>[]>(
        `select name, approvals_required from approval_rules where id = $1 and ${OF_OWNER} for update`,
        [id, projectId, owner],
      );
      if (!former) throw notFound('Approval Rule');
      const { name = former.name, approvals_required: required = former.approvals_required } = params;
      const isChanged = await this.setPeople(tx, caller, id, params);
      if (!isChanged && name === former.name && required === former.approvals_required) return;
      await tx.query(
        `update approval_rules set name = $2, approvals_required = $3, updated_at = ${STATEMENT_TIME} where id = $1`,
        [id, name, required],
      );
      if (owner === null)
        await this.record(tx, caller, { id, name, approvals_required: required }, 'updated');
    });
  }

  /** Removes a rule. @throws 404, 412 */
  async remove(
    caller: ProjectCaller,
    id: number,
    unmodified: (updatedAt: Date) => void,
    owner: RuleOwner = null,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      const [row] = await tx.query<(AuditedRule & { readonly updated_at: Date })[]>(
        `select id, name, approvals_required, updated_at from approval_rules where id = $1 and ${OF_OWNER} for update`,
        [id, caller.subject.id, owner],
      );
      if (!row) throw notFound('Approval Rule');
      unmodified(row.updated_at);
      await tx.query('delete from approval_rules where id = $1', [id]);
      if (owner === null) await this.record(tx, caller, row, 'removed');
    });
  }

  /** Rules of merge requests are a matter of the merge request. */
  private record(
    tx: Tx,
    { actor, subject }: ProjectCaller,
    { id, name, approvals_required: required }: AuditedRule,
    happened: 'created' | 'updated' | 'removed',
  ): Promise<void> {
    const scope = { type: 'Project', id: subject.id, path: subject.fullPath } as const;
    const target = { type: 'ApprovalRule', id, details: name };
    return this.audit.record(tx, actor, scope, target, {
      customMessage: `Approval rule ${name} ${happened} (approvals required: ${required})`,
      eventName: `approval_rule_${happened}`,
    });
  }

  /**
   * Skips users who cannot read the project's merge requests, and groups that the caller cannot see. Returns
   * whether anybody came or went.
   */
  private async setPeople(
    tx: Tx,
    { actor, subject }: Caller,
    id: number,
    { user_ids: userIds, group_ids: groupIds }: Pick<CreateApprovalRuleParams, 'user_ids' | 'group_ids'>,
  ): Promise<boolean> {
    let isChanged = false;
    if (userIds) {
      const users = [...(await this.relations.reading(subject?.id ?? 0, userIds))];
      isChanged = await replace(tx, 'approval_rule_users', 'user_id', id, users);
    }
    if (groupIds) {
      const groups = await tx.query<{ id: number }[]>(SEEN_GROUPS, [
        groupIds,
        actor?.id ?? null,
        actor?.admin === true,
      ]);
      const ids = groups.map((group) => group.id);
      isChanged = (await replace(tx, 'approval_rule_groups', 'group_id', id, ids)) || isChanged;
    }
    return isChanged;
  }

  private async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.run(work);
    } catch (error) {
      if (violatedConstraint(error) === 'approval_rules_name')
        throw invalid({ name: ['has already been taken'] });
      throw error;
    }
  }
}

async function replace(
  tx: Tx,
  table: 'approval_rule_users' | 'approval_rule_groups',
  column: 'user_id' | 'group_id',
  id: number,
  ids: readonly number[],
): Promise<boolean> {
  const changed = await tx.query<unknown[]>(
    `with gone as (delete from ${table} where approval_rule_id = $1 and ${column} <> all($2::bigint[]) returning 1),
      added as (insert into ${table} (approval_rule_id, ${column}) select $1, one from unnest($2::bigint[]) one order by one
        on conflict do nothing returning 1)
    select 1 from gone union all select 1 from added`,
    [id, ids],
  );
  return changed.length > 0;
}

async function assertRoom(tx: Tx, projectId: number, owner: RuleOwner): Promise<void> {
  if (owner !== null && (await tx.query<unknown[]>(KEEP_OWNER, [owner])).length === 0)
    throw notFound('Merge Request');
  await tx.query(TURN, [projectId, owner]);
  const [row] = await tx.query<{ count: number }[]>(COUNT, [projectId, owner]);
  if ((row?.count ?? 0) >= MAX_RULES)
    throw invalid({ base: [`has too many rules (maximum is ${MAX_RULES})`] });
}
