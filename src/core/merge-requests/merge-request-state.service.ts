import { Injectable } from '@nestjs/common';
import { clock } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { stateNote } from '#core/issuables/change-notes.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { keepState } from '#core/issuables/resource-events/write-resource-events.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { ClosingIssuesService } from './closing/closing-issues.service.js';
import { mergeRequestActivity, noteTarget } from './code/merge-request-activity.js';
import type { Heads } from './code/merge-request-heads.service.js';
import { MergeRequestChanged, type MergeRequestChange } from './merge-request-changed.event.js';
import { MergeRequest } from './merge-request.entity.js';

const AUTO_MERGE_ENDED = 'aborted the automatic merge because the target branch was changed';

/** Closes, reopens and retargets merge requests, which must be locked. */
@Injectable()
export class MergeRequestStateService {
  constructor(
    private readonly events: DomainEvents,
    private readonly notes: SystemNotesService,
    private readonly closing: ClosingIssuesService,
  ) {}

  /** Closes an open merge request; false if it is not open. */
  async close(tx: Tx, mergeRequest: MergeRequest, actorId: number | null): Promise<boolean> {
    if (mergeRequest.state !== 'opened') return false;
    const columns = {
      state: 'closed',
      closedById: actorId,
      autoMerge: null,
      mergeUserId: null,
    } as const;
    await tx.update(MergeRequest, { id: mergeRequest.id }, { ...columns, closedAt: clock, updatedAt: clock });
    Object.assign(mergeRequest, columns);
    await this.say(tx, mergeRequest, actorId, 'closed');
    return true;
  }

  /** Reopens a closed merge request with the present heads of its branches; false if it is not closed. */
  async reopen(tx: Tx, mergeRequest: MergeRequest, actorId: number | null, heads: Heads): Promise<boolean> {
    if (mergeRequest.state !== 'closed') return false;
    const { headSha: before } = mergeRequest;
    const { messages, ...refs } = heads;
    const columns = {
      ...refs,
      state: 'opened',
      closedById: null,
      closedAt: null,
      mergeStatus: 'unchecked',
      mergeError: null,
    } as const;
    await tx.update(MergeRequest, { id: mergeRequest.id }, { ...columns, updatedAt: clock });
    Object.assign(mergeRequest, columns);
    await this.closing.refreshByCommits(tx, mergeRequest, messages);
    // Its branches were not followed while it was closed.
    if (before !== mergeRequest.headSha)
      await this.events.publish(tx, new MergeRequestChanged(mergeRequest, 'head', null));
    await this.say(tx, mergeRequest, actorId, 'reopened');
    return true;
  }

  /**
   * Changes the target branch of an open merge request, which ends auto-merge: its user has agreed to the
   * former target. False if it is not open or already has this target.
   */
  async retarget(
    tx: Tx,
    mergeRequest: MergeRequest,
    actorId: number,
    targetBranch: string,
    heads: Heads,
  ): Promise<boolean> {
    const { id, state, targetBranch: before, autoMerge } = mergeRequest;
    if (state !== 'opened' || before === targetBranch) return false;
    const { messages, ...refs } = heads;
    const columns = {
      ...refs,
      targetBranch,
      mergeStatus: 'unchecked',
      mergeError: null,
      autoMerge: null,
      mergeUserId: null,
    } as const;
    await tx.update(MergeRequest, { id }, { ...columns, updatedAt: clock });
    Object.assign(mergeRequest, columns);
    await this.closing.refreshByCommits(tx, mergeRequest, messages);
    const body = `changed target branch from \`${before}\` to \`${targetBranch}\``;
    await this.notes.write(tx, noteTarget(mergeRequest), actorId, 'branch', body);
    if (autoMerge !== null)
      await this.notes.write(tx, noteTarget(mergeRequest), actorId, 'merge', AUTO_MERGE_ENDED);
    await this.events.publish(tx, new MergeRequestChanged(mergeRequest, 'retargeted', actorId));
    return true;
  }

  private async say(
    tx: Tx,
    mergeRequest: MergeRequest,
    actorId: number | null,
    change: Extract<MergeRequestChange, 'closed' | 'reopened'>,
  ): Promise<void> {
    await keepState(tx, MERGE_REQUEST, mergeRequest.id, actorId, change);
    const { action, body } = stateNote(change);
    await this.notes.write(tx, noteTarget(mergeRequest), actorId, action, body);
    await this.events.publish(tx, new MergeRequestChanged(mergeRequest, change, actorId));
    await this.events.publish(tx, mergeRequestActivity(change, mergeRequest, actorId));
  }
}
