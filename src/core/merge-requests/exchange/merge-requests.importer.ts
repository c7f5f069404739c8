import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { takeImportedIids } from '#core/iids/imported-iids.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { importResourceEvents } from '#core/issuables/resource-events/exchange/import-resource-events.js';
import {
  labelsOfEvents,
  milestonesOfEvents,
} from '#core/issuables/resource-events/exchange/read-resource-events.js';
import { resolveLabels } from '#core/labels/exchange/resolve-labels.js';
import { resolveMilestones } from '#core/milestones/exchange/resolve-milestones.js';
import { importEmoji, votesOf } from '#core/notes/exchange/emoji.js';
import { importMentions } from '#core/notes/exchange/import-mentions.js';
import { importNotes } from '#core/notes/exchange/import-notes.js';
import { importTimelogs } from '#core/notes/exchange/timelogs.js';
import { importSubscriptions } from '#core/subscriptions/exchange/subscriptions-exchange.js';
import { drawIds } from '#core/exchange/draw-ids.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { ClosingIssuesService } from '../closing/closing-issues.service.js';
import { FollowMergeRequestJob } from '../code/following/follow-merge-request.job.js';
import type { ImportedMergeRequest } from '../exchange/imported-merge-request.js';
import { KeepHeadsJob } from '../exchange/keep-heads.job.js';
import { writeMergeRequests, type NumberedMergeRequest } from '../exchange/merge-request-columns-import.js';
import { MergeRequestLinks } from '../exchange/merge-request-links-import.js';

/** Imports merge requests with everything that belongs to them, in about fifteen statements per batch. */
@Injectable()
export class MergeRequestsImporter {
  constructor(
    private readonly iids: InternalIdsService,
    private readonly readers: ProjectReadersQueries,
    private readonly issues: ClosingIssuesService,
    private readonly jobs: Jobs,
  ) {}

  /** Inserts merge requests; returns their local ids. @throws RecordRefused if a number is taken */
  async load(tx: Tx, target: ImportTarget, rows: readonly ImportedMergeRequest[]): Promise<number[]> {
    const { ownerId: projectId } = target;
    const histories = rows.map(({ events }) => events);
    const labels = await resolveLabels(tx, target, [
      ...rows.flatMap((row) => row.labels),
      ...labelsOfEvents(histories),
    ]);
    const wanted = [...rows.flatMap(({ milestone }) => milestone ?? []), ...milestonesOfEvents(histories)];
    const milestones = await resolveMilestones(tx, this.iids, target, wanted);
    await this.takeNumbers(
      tx,
      projectId,
      rows.map(({ iid }) => iid),
    );
    const ids = await drawIds(tx, 'merge_requests', rows.length);
    const mergeRequests = rows.map((row, at) => ({ ...row, id: ids[at] as number }));
    // Insert notes and emoji before their merge requests, so that no trigger has to update counters.
    const votes = await importEmoji(tx, 'MergeRequest', mergeRequests);
    await importNotes(tx, target, 'MergeRequest', mergeRequests);
    await writeMergeRequests(tx, projectId, mergeRequests, { votes: (id) => votesOf(votes, id), milestones });
    const links = new MergeRequestLinks(tx, mergeRequests);
    await links.labels(labels);
    await links.people(await this.readersAmong(projectId, mergeRequests));
    await links.versions();
    await links.closing(await this.closing(tx, target, mergeRequests));
    await links.pipelines(projectId);
    await importTimelogs(tx, target, 'MergeRequest', mergeRequests);
    await importSubscriptions(tx, 'MergeRequest', mergeRequests);
    await importResourceEvents(tx, MERGE_REQUEST, mergeRequests, { labels, milestones });
    const texts = mergeRequests.map(({ id, description: text }) => ({ noteableId: id, noteId: null, text }));
    await importMentions(tx, target, 'MergeRequest', texts);
    await this.lookAtCode(tx, projectId, mergeRequests);
    return ids;
  }

  private async takeNumbers(tx: Tx, projectId: number, iids: readonly number[]): Promise<void> {
    const numbered = {
      table: 'merge_requests',
      owner: 'project_id',
      ownerId: projectId,
      word: 'merge request',
    } as const;
    await takeImportedIids(tx, iids, numbered, () =>
      this.iids.takeMany(tx, projectId, 'merge_requests', iids),
    );
  }

  private async readersAmong(
    projectId: number,
    mergeRequests: readonly NumberedMergeRequest[],
  ): Promise<ReadonlySet<number>> {
    const named = mergeRequests.flatMap(({ assigneeIds, reviewers }) => [
      ...assigneeIds,
      ...reviewers.map(({ userId }) => userId),
    ]);
    const wanted = [...new Set(named)];
    return new Set((await this.readers.among(projectId, wanted, 'merge_requests', Role.Reporter)).keys());
  }

  /**
   * Most texts name no issue and cost nothing. Issues are limited to those that the importing user can see,
   * because an author is only what a source claims.
   */
  private async closing(
    tx: Tx,
    { ownerId: projectId, fullPath, importerId: authorId }: ImportTarget,
    mergeRequests: readonly NumberedMergeRequest[],
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const found = new Map<number, readonly number[]>();
    for (const { id, title, description } of mergeRequests) {
      const text = `${title}\n${description ?? ''}`;
      found.set(id, await this.issues.named(tx, { projectId, authorId }, fullPath, text));
    }
    return found;
  }

  /**
   * Open merge requests follow their branches from now on; the heads of others are kept if the repository has
   * them.
   */
  private async lookAtCode(
    tx: Tx,
    projectId: number,
    mergeRequests: readonly NumberedMergeRequest[],
  ): Promise<void> {
    const isFollowed = (one: NumberedMergeRequest): boolean =>
      one.state.state === 'opened' && one.isOwnBranch;
    const followed = mergeRequests.filter(isFollowed).map(({ id }) => ({ id, userId: null, head: null }));
    await this.jobs.enqueueAll(tx, FollowMergeRequestJob, followed);
    const kept = mergeRequests.filter((one) => !isFollowed(one)).map(({ iid }) => iid);
    if (kept.length > 0) await this.jobs.enqueue(tx, KeepHeadsJob, { projectId, iids: kept });
  }
}
