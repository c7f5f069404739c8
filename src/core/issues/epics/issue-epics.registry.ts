import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';
import { Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** The epic of an issue, as its record shows it. */
export class IssueEpicRecord {
  @Id()
  id!: number;

  @Id({ description: 'Number within the group' })
  iid!: number;

  @Id()
  group_id!: number;

  @Text()
  title!: string;

  @Text({ example: '/groups/shop/-/epics/5' })
  url!: string;
}

const EPIC_JSON = `select jsonb_build_object('id', ie.id, 'iid', ie.iid, 'group_id', ie.group_id, 'title', ie.title,
    'url', '/groups/' || (select ig.full_path from namespaces ig where ig.id = ie.group_id) || '/-/epics/' || ie.iid)`;

/** Scalar expression: the epic of the issue with this id as JSON of `IssueEpicRecord`, or null: not every reader of the issue can read it. */
export const issueEpicSql = (issueId: string): string =>
  `(${EPIC_JSON} from epic_issues il join epics ie on ie.id = il.epic_id where il.issue_id = ${issueId})`;

/** The same of the epic of that number in a group, for issues that are all in it. */
export const numberedEpicSql = (groupId: string, iid: string): string =>
  `(${EPIC_JSON} from epics ie where ie.group_id = ${groupId} and ie.iid = ${iid})`;

/** Puts an issue, which the caller holds locked, into an epic by its id, or takes it out of its own with null. */
export type EpicAssigner = (
  tx: Tx,
  caller: UserCaller,
  issue: { readonly id: number; readonly projectId: number; readonly confidential: boolean },
  epicId: number | null,
) => Promise<void>;

/** What issues know of epics: the module that has them registers itself in `onModuleInit`. */
@Injectable()
export class IssueEpicsRegistry {
  private assigner: EpicAssigner | null = null;

  register(assigner: EpicAssigner): void {
    this.assigner = assigner;
  }

  /** Puts an issue into an epic, or takes it out; nothing happens where nobody has epics. */
  async assign(...args: Parameters<EpicAssigner>): Promise<void> {
    await this.assigner?.(...args);
  }
}

const SECRET_EPIC = `select e.id from epic_issues x join epics e on e.id = x.epic_id join issues i on i.id = x.issue_id
  where x.issue_id = $1 and e.confidential and not i.confidential for share of e`;

/** What a confidential epic holds is confidential too: asked at the end of a change that opens an issue to more readers. @throws 400 */
export async function assertSecretWithEpic(tx: Tx, issueId: number): Promise<void> {
  if ((await tx.query<unknown[]>(SECRET_EPIC, [issueId])).length > 0)
    throw invalid({ confidential: ['must be true for an issue of a confidential epic'] });
}
