import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { badRequest } from '#kernel/http/errors.js';
import { rightsOf } from '#core/ci/jobs/job-access.js';
import type { Environment } from '#core/environments/environment.entity.js';
import { EnvironmentProtectionsPolicy } from '#core/environments/protection/environment-protections.policy.js';
import { entryWords } from '#core/environments/protection/protected-environment.record.js';
import { meansUserSql } from '#core/environments/protection/protection.sql.js';
import { SAME_PERSON } from '#core/users/person.sql.js';
import type { Deployment } from '../deployment.entity.js';
import type { ApprovalState } from './approval-state.js';
import { COUNTS_FOR_RULE } from './counting.sql.js';

/** Waits for a removal of a rule, and keeps those found until the approval refers to one of them. */
const MATCHING = `select r.id from protected_environment_approval_rules r
    join protected_environments pe on pe.id = r.protected_environment_id
    join projects p on p.id = $2 join namespaces n on n.id = p.namespace_id join users u on u.id = $3
  where r.id = any($1::bigint[]) and ${meansUserSql('r', '$4::boolean')}
    and ${COUNTS_FOR_RULE} order by r.id for key share of r`;

/** Texts of `ci.md` 2.2. */
const NO_RIGHT =
  "You don't have permission to approve this deployment. Contact the project or group owner for help.";
const NO_RULE =
  'There are no approval rules for the given `represent_as` parameter. Use a valid User/Group/Role name instead.';

/** Decides who may approve a deployment. */
@Injectable()
export class ApproversPolicy {
  constructor(private readonly protections: EnvironmentProtectionsPolicy) {}

  /**
   * Returns whether the caller, the creator of the caller or a bot created by the caller has triggered the
   * deployment: bots count as their creators.
   */
  async haveTriggered(tx: Tx, { userId }: Pick<Deployment, 'userId'>, { actor }: Caller): Promise<boolean> {
    if (userId === null || actor === null) return false;
    const [row] = await tx.query<{ same: boolean }[]>(SAME_PERSON, [userId, actor.id]);
    return row?.same === true;
  }

  /**
   * Returns the rule that counts the caller's approval: the first that includes the caller, among those whose
   * text contains `representedAs`; null without rules, if users who may deploy may approve.
   * @throws 400
   */
  async ruleFor(
    tx: Tx,
    state: ApprovalState,
    environment: Environment,
    caller: Caller,
    representedAs: string | undefined,
  ): Promise<number | null> {
    const { userId, role } = rightsOf(caller);
    if (state.rules.length === 0) {
      const mayDeploy = await this.protections.mayDeploy(tx, environment, { userId, role });
      if (role < Role.Developer || !mayDeploy || caller.actor?.userType !== 'human')
        throw badRequest(NO_RIGHT);
      return null;
    }
    const rows = await tx.query<{ id: number }[]>(MATCHING, [
      state.rules.map(({ id }) => id),
      environment.projectId,
      userId,
      role === Role.Admin,
    ]);
    const mine = state.rules.filter(({ id }) => rows.some((row) => row.id === id));
    if (mine.length === 0) throw badRequest(NO_RIGHT);
    const chosen = mine.find((rule) => !representedAs || entryWords(rule).includes(representedAs));
    if (!chosen) throw badRequest(NO_RULE);
    return chosen.id;
  }
}
