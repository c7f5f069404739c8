import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { hasSourcesSql } from '#core/notes/note-origins.service.js';
import { MergeRequest } from './merge-request.entity.js';

/** What matters of a merge request when somebody wants to do something with it. */
export interface AccessibleMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly authorId: number | null;
  readonly discussionLocked: boolean;
  /** As `Noteable` has it. */
  readonly hasSources: boolean;
  /** Its author or an assignee. */
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

/** Finds the merge request that a request names; whether the caller may read those of the project has been decided by its route. */
@Injectable()
export class MergeRequestFinder {
  constructor(private readonly database: ReadDatabase) {}

  /** One short statement. @throws 404 */
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

  /** The whole merge request, under its lock until `tx` ends. @throws 404 */
  async lock(tx: Tx, projectId: number, iid: number): Promise<MergeRequest> {
    const found = await tx.findOne(MergeRequest, {
      where: { projectId, iid },
      lock: { mode: 'pessimistic_write' },
    });
    if (!found) throw notFound('Merge Request');
    return found;
  }

  /** The same by its id; null when it is gone. For jobs and listeners. */
  lockById(tx: Tx, id: number): Promise<MergeRequest | null> {
    return tx.findOne(MergeRequest, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }
}

/** Whether the caller may change what people plan with: labels, milestone, assignees, reviewers. */
export const mayPlan = ({ role }: Caller): boolean => role >= Role.Developer;
