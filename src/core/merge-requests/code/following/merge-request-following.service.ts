import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { MergeRequest } from '../../merge-request.entity.js';
import { LookAtBranchesService, type KnownBranches, type SeenBranches } from './look-at-branches.service.js';
import { SeenBranchesNotesService, type Mover } from './seen-branches-notes.service.js';

const FIND = `select iid, project_id as "projectId", source_project_id as "sourceProjectId", source_branch as "sourceBranch",
    target_branch as "targetBranch", head_sha as "headSha", start_sha as "startSha"
  from merge_requests where id = $1 and state = 'opened'`;

/** Attempts before branches that keep moving are checked later. */
const ATTEMPTS = 5;

const isAsKnown = (mergeRequest: MergeRequest, known: KnownBranches): boolean =>
  mergeRequest.sourceProjectId === known.sourceProjectId &&
  mergeRequest.targetBranch === known.targetBranch &&
  mergeRequest.headSha === known.headSha &&
  mergeRequest.startSha === known.startSha;

/**
 * Updates open merge requests after their branches: git is asked outside of transactions, and its answer
 * written only if nothing has changed since.
 */
@Injectable()
export class MergeRequestFollowingService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly branches: LookAtBranchesService,
    private readonly notes: SeenBranchesNotesService,
  ) {}

  /**
   * Checks an open merge request; returns false while it is being merged, after which it may be open again.
   * @throws 400 while the repository moves; Error if the branches keep moving
   */
  async follow(id: number, mover: Mover): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const known = await this.database.one<KnownBranches>(FIND, [id]);
      if (!known) return this.transactions.run((tx) => this.attribute(tx, id, mover));
      const seen = await this.branches.look(known);
      if (await this.transactions.run((tx) => this.write(tx, { id, mover, known, seen }))) return true;
    }
    throw new Error(`The branches of merge request ${id} keep changing`);
  }

  /** Writes the result; false if the merge request has changed in the meantime. */
  private async write(
    tx: Tx,
    {
      id,
      mover,
      known,
      seen,
    }: {
      readonly id: number;
      readonly mover: Mover;
      readonly known: KnownBranches;
      readonly seen: SeenBranches | null;
    },
  ): Promise<boolean> {
    const mergeRequest = await locked(tx, id);
    if (!mergeRequest) return true;
    if (mergeRequest.state !== 'opened' || !isAsKnown(mergeRequest, known)) return false;
    if (seen) await this.notes.take(tx, mergeRequest, seen, mover);
    else await this.notes.missing(tx, mergeRequest, mover);
    return true;
  }

  /**
   * The push to a merge request that was merged at once is still to be attributed. False for one that is not
   * closed or merged.
   */
  private async attribute(tx: Tx, id: number, mover: Mover): Promise<boolean> {
    const mergeRequest = await locked(tx, id);
    if (!mergeRequest) return true;
    if (mergeRequest.state === 'locked' || mergeRequest.state === 'opened') return false;
    await this.notes.attribute(tx, mergeRequest, mover);
    return true;
  }
}

const locked = (tx: Tx, id: number): Promise<MergeRequest | null> =>
  tx.findOne(MergeRequest, { where: { id }, lock: { mode: 'pessimistic_write' } });
