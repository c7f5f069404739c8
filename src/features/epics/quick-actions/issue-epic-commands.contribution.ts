import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type UserCaller, type ProjectCaller, onProject } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Links } from '#kernel/http/links.js';
import {
  assertMay,
  CommandRefused,
  lastOf,
  shown,
  type TargetAction,
} from '#core/quick-actions/quick-action.js';
import { QuickActionsRegistry } from '#core/quick-actions/quick-actions.registry.js';
import { referenceIn } from '#core/quick-actions/parsing/references.js';
import { EpicIssuePolicy } from '../issues/epic-issue.policy.js';

interface NamedEpic {
  readonly id: number;
  readonly title: string;
}

/** The epic with a number in the nearest of some groups, which come from the root down. */
const NEAR = `select e.id, e.title from epics e where e.iid = $2 and e.group_id = any($1::bigint[])
  order by array_position($1::bigint[], e.group_id) desc limit 1`;

const BY_PATH = `select e.id, e.title from routes r join epics e on e.group_id = r.source_id and e.iid = $2
  where r.path = lower($1) and not r.redirect and r.source_type = 'Namespace'`;

const CURRENT = 'select epic_id as id from epic_issues where issue_id = $1';

/** `/epic` and `/remove_epic` on issues. */
@Injectable()
export class IssueEpicCommandsContribution implements OnModuleInit {
  constructor(
    private readonly actions: QuickActionsRegistry,
    private readonly rights: EpicIssuePolicy,
    private readonly links: Links,
  ) {}

  onModuleInit(): void {
    this.actions.register('Issue', [this.epic]);
  }

  private readonly epic: TargetAction = {
    when: 'target',
    kind: 'epic',
    names: ['epic', 'remove_epic'],
    apply: async ({ tx, caller, target, noteable }, uses) => {
      const use = lastOf(uses);
      assertMay(target.mayPlan, use);
      if (caller.tier < Tier.Premium)
        throw new CommandRefused(`Could not apply /${use.name}: the license plan has no epics.`);
      const [current] = await tx.query<{ id: number }[]>(CURRENT, [noteable.id]);
      // An epic that the caller may not see counts as none.
      const before = current && (await this.rights.reads(caller, current.id)) ? current : null;
      if (use.name === 'remove_epic') {
        if (!before) return { said: ['This issue is not in an epic.'] };
        await target.change({ epic_id: null });
        return { changes: { epic: null }, said: ['Removed this issue from its epic.'] };
      }
      const epic = await this.find(tx, onProject(caller), use.argument);
      if (epic.id === before?.id)
        return { said: [`This issue is in the epic "${shown(epic.title)}" already.`] };
      await target.change({ epic_id: epic.id });
      return { changes: { epic: epic.id }, said: [`Added this issue to the epic "${shown(epic.title)}".`] };
    },
  };

  /** Finds the epic of an argument. @throws CommandRefused also if the caller cannot read it */
  private async find(tx: Tx, caller: UserCaller & ProjectCaller, argument: string): Promise<NamedEpic> {
    const refused = new CommandRefused(`Could not find the epic "${shown(argument)}".`);
    const reference = referenceIn(argument, '&', this.links.base);
    if (!reference) throw refused;
    const { path, iid } = reference;
    const [epic] =
      path === null
        ? await tx.query<NamedEpic[]>(NEAR, [caller.subject.traversalIds, iid])
        : await tx.query<NamedEpic[]>(BY_PATH, [path, iid]);
    if (!epic || !(await this.rights.reads(caller, epic.id))) throw refused;
    return epic;
  }
}
