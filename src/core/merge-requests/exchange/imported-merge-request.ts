import type { ImportedResourceEvents } from '#core/issuables/resource-events/exchange/read-resource-events.js';
import type { ImportedLabel } from '#core/labels/exchange/read-label.js';
import type { ImportedMilestone } from '#core/milestones/exchange/read-milestone.js';
import type { ImportedEmoji } from '#core/notes/exchange/emoji.js';
import type { ImportedNote } from '#core/notes/exchange/imported-note.js';
import type { ImportedTimelog } from '#core/notes/exchange/timelogs.js';
import type { ImportedSubscription } from '#core/subscriptions/exchange/subscriptions-exchange.js';
import type { MergeStatus } from '../merge-request.entity.js';

/** An imported reviewer. */
export interface ImportedReviewer {
  readonly userId: number;
  readonly state: string;
  readonly createdAt: string | null;
}

/** An imported approval. */
export interface ImportedApproval {
  readonly userId: number;
  readonly createdAt: string | null;
}

/** An imported version. */
export interface ImportedVersion {
  readonly base: string | null;
  readonly start: string;
  readonly head: string;
  readonly changes: string | null;
  readonly createdAt: string | null;
}

/** The code of a merge request at its source; the repository here may lack the commits. */
export interface ImportedCode {
  readonly base: string | null;
  readonly start: string | null;
  readonly head: string | null;
  readonly changes: string | null;
  /** Oldest first. */
  readonly versions: readonly ImportedVersion[];
}

/** The imported state; a merge request that was being merged is open. */
export interface ImportedState {
  readonly state: 'opened' | 'closed' | 'merged';
  readonly merge_status: MergeStatus;
  readonly merge_user: number | null;
  readonly merged_at: string | null;
  readonly closed_by: number | null;
  readonly closed_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
}

/** A validated merge request. */
export interface ImportedMergeRequest {
  readonly iid: number;
  readonly authorId: number;
  readonly title: string;
  readonly description: string | null;
  readonly draft: boolean;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  /** Whether its source is a branch of the same project; forks are not imported. */
  readonly isOwnBranch: boolean;
  readonly state: ImportedState;
  readonly code: ImportedCode;
  readonly squash: boolean;
  readonly shouldRemoveSourceBranch: boolean | null;
  readonly forceRemoveSourceBranch: boolean | null;
  readonly discussionLocked: boolean | null;
  readonly timeEstimate: number;
  /** Number of its head pipeline, if the source has it. */
  readonly headPipelineIid: number | null;
  readonly assigneeIds: readonly number[];
  readonly reviewers: readonly ImportedReviewer[];
  readonly approvals: readonly ImportedApproval[];
  readonly labels: readonly ImportedLabel[];
  readonly milestone: ImportedMilestone | null;
  readonly timelogs: readonly ImportedTimelog[];
  readonly notes: readonly ImportedNote[];
  readonly subscriptions: readonly ImportedSubscription[];
  readonly emoji: readonly ImportedEmoji[];
  readonly events: ImportedResourceEvents;
  readonly preparedAt: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}
