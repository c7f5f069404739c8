import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import { userIdsIn, userIdsOf } from '#core/exchange/source-ids.js';
import {
  flagIn,
  integerIn,
  neededTextIn,
  recordIn,
  recordsIn,
  textIn,
  timeIn,
  wordIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { isValidRefName } from '#core/repositories/ref-name.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from '../approvals/deployment-approval.entity.js';

const MAX_TEXT = 255;
const MAX_REF = 1_024;
/** The counter goes on behind the largest. */
const MAX_IID = 2_147_483_647;
const MAX_COMMENT = 10_000;
const MAX_LINKS = 10_000;
const MAX_APPROVALS = 1_000;
const FULL_SHA = /^[0-9a-f]{40}$/;

/** Statuses that nothing follows. */
const ENDED = ['success', 'failed', 'canceled'] as const;

/** What somebody who is known here has said to a deployment. */
export interface ImportedApproval {
  readonly userId: number;
  readonly status: ApprovalStatus;
  readonly comment: string | null;
  readonly createdAt: string | null;
}

/** A deployment that has been checked. What had not ended at the source never ends here: it counts as cancelled. */
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
  /** Approvals of people who are not known here. */
  readonly strangers: number;
}

/** Ids of users that a deployment names. */
export const deploymentUserIds = (record: SourceRecord): number[] => [
  ...userIdsIn(record, 'user_id'),
  ...userIdsOf(record, 'approvals', 'user_id'),
];

/** @throws RecordRefused for a record that is no deployment */
export function deploymentOf(record: SourceRecord, target: ImportTarget): ImportedDeployment {
  const iid = integerIn(record, 'iid', 1, MAX_IID);
  if (iid === null) throw new RecordRefused('iid is missing');
  const environment = recordIn(record, 'environment') ?? {};
  const ref = neededTextIn(record, 'ref', MAX_REF);
  if (!isValidRefName(ref)) throw new RecordRefused('ref is invalid');
  const sha = neededTextIn(record, 'sha', MAX_TEXT);
  if (!FULL_SHA.test(sha)) throw new RecordRefused('sha is invalid');
  const given = recordsIn(record, 'approvals', MAX_APPROVALS);
  const approvals = approvalsOf(given, target);
  const updatedAt = timeIn(record, 'updated_at');
  return {
    iid,
    environment: neededTextIn(environment, 'name', MAX_TEXT),
    ref,
    sha,
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

/** Nobody approves for others. */
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
