import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsIn, userIdsOf } from '#core/exchange/source-ids.js';
import {
  flagIn,
  iidIn,
  integerIn,
  neededTextIn,
  recordIn,
  recordsIn,
  textIn,
  timeIn,
  wordIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { commitIn, refIn } from '#core/repositories/source-refs.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from '../approvals/deployment-approval.entity.js';

const MAX_TEXT = 255;
const MAX_COMMENT = 10_000;
const MAX_LINKS = 10_000;
const MAX_APPROVALS = 1_000;

/** Final statuses. */
const ENDED = ['success', 'failed', 'canceled'] as const;

/** An imported decision of a user known here. */
export interface ImportedApproval {
  readonly userId: number;
  readonly status: ApprovalStatus;
  readonly comment: string | null;
  readonly createdAt: string | null;
}

/** A validated deployment. One unfinished at the source never finishes here: it becomes canceled. */
export interface ImportedDeployment {
  readonly iid: number;
  readonly environment: string;
  readonly ref: string;
  readonly sha: string;
  readonly tag: boolean;
  readonly status: (typeof ENDED)[number];
  readonly userId: number;
  readonly finishedAt: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly mergeRequestIids: readonly number[];
  readonly approvals: readonly ImportedApproval[];
  /** Number of approvals by unknown users. */
  readonly strangers: number;
}

/** Returns the ids of users in a deployment. */
export const deploymentUserIds = (record: SourceRecord): number[] => [
  ...userIdsIn(record, 'user_id'),
  ...userIdsOf(record, 'approvals', 'user_id'),
];

/** Parses a deployment. @throws RecordRefused if the record is not a deployment */
export function deploymentOf(record: SourceRecord, target: ImportTarget): ImportedDeployment {
  const environment = recordIn(record, 'environment') ?? {};
  const given = recordsIn(record, 'approvals', MAX_APPROVALS);
  const approvals = approvalsOf(given, target);
  const updatedAt = timeIn(record, 'updated_at');
  return {
    iid: iidIn(record),
    environment: neededTextIn(environment, 'name', MAX_TEXT),
    ref: refIn(record),
    sha: commitIn(record),
    tag: flagIn(record, 'tag'),
    status: wordIn(record, 'status', ENDED, 'canceled'),
    userId: target.attribute(integerIn(record, 'user_id', 1)).userId,
    finishedAt: timeIn(record, 'finished_at') ?? updatedAt,
    createdAt: timeIn(record, 'created_at'),
    updatedAt,
    mergeRequestIids: iidsOf(recordsIn(record, 'deployment_merge_requests', MAX_LINKS)),
    approvals,
    strangers: given.length - approvals.length,
  };
}

const iidsOf = (links: readonly SourceRecord[]): number[] => [
  ...new Set(links.flatMap((link) => integerIn(link, 'merge_request_iid', 1) ?? [])),
];

/** Approvals are never attributed to other users. */
function approvalsOf(given: readonly SourceRecord[], target: ImportTarget): ImportedApproval[] {
  const approvals = new Map<number, ImportedApproval>();
  for (const entry of given) {
    const userId = target.userOf(integerIn(entry, 'user_id', 1));
    const status = APPROVAL_STATUSES.find((one) => one === entry['status']);
    if (userId === null || status === undefined) continue;
    const comment = target.text(textIn(entry, 'comment', MAX_COMMENT));
    approvals.set(userId, { userId, status, comment, createdAt: timeIn(entry, 'created_at') });
  }
  return [...approvals.values()];
}
