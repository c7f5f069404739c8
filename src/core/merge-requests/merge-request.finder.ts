import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { hasSourcesSql } from '#core/notes/note-origins.service.js';
import { MergeRequest } from './merge-request.entity.js';

/** Facts of a merge request that determine what a caller may do. */
export interface AccessibleMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly authorId: number | null;
  readonly discussionLocked: boolean;
  /** As in `Noteable`. */
  readonly hasSources: boolean;
  /** Whether the caller is its author or an assignee. */
  readonly isOwn: boolean;
}

interface AccessRow {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly author_id: number | null;
  readonly discussion_locked: boolean | null;
  readonly has_sources: boolean;
  readonly is_assigned: boolean;
}

const FIND = `select m.id, m.iid, m.title, m.author_id, m.discussion_locked,
    exists (select 1 from merge_request_assignees x where x.merge_request_id = m.id and x.user_id = $3) as is_assigned,
    ${hasSourcesSql('MergeRequest', 'm.id')} as has_sources
  from merge_requests m where m.project_id = $1 and m.iid = $2`;

/**
 * Finds the merge request of a request; the route has already checked read access to the merge requests of
 * the project.
 */
@Injectable()
export class MergeRequestFinder {
  constructor(private readonly database: ReadDatabase) {}

  /** Finds a merge request with one short statement. @throws 404 */
  async find({ actor, subject }: Caller, iid: number): Promise<AccessibleMergeRequest> {
    const row = await this.database.one<AccessRow>(FIND, [subject?.id ?? 0, iid, actor?.id ?? null]);
    if (!row) throw notFound('Merge Request');
    return {
      id: row.id,
      iid: row.iid,
      title: row.title,
      authorId: row.author_id,
      discussionLocked: row.discussion_locked === true,
      hasSources: row.has_sources,
      isOwn: actor !== null && (row.author_id === actor.id || row.is_assigned),
    };
  }

  /** Returns the complete merge request, locked until `tx` ends. @throws 404 */
  async lock(tx: Tx, projectId: number, iid: number): Promise<MergeRequest> {
    const found = await tx.findOne(MergeRequest, {
      where: { projectId, iid },
      lock: { mode: 'pessimistic_write' },
    });
    if (!found) throw notFound('Merge Request');
    return found;
  }

  /** Locks a merge request by its id, for jobs and listeners; null if it no longer exists. */
  lockById(tx: Tx, id: number): Promise<MergeRequest | null> {
    return tx.findOne(MergeRequest, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }
}

/** Returns whether the caller may change labels, milestone, assignees and reviewers. */
export const mayPlan = ({ role }: Caller): boolean => role >= Role.Developer;
