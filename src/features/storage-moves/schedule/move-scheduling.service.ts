import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { StorageChoiceService } from '#core/projects/writes/storage-choice.service.js';
import type { OwnerType } from '#core/repositories/repository-ref.js';
import { MoveOwnersService } from '../engine/move-owners.service.js';
import { RunMoveJob } from '../engine/run-move.job.js';
import { MOVE_KINDS } from '../storage-move.js';
import { MoveAudit, type MoveAuthor } from './move.audit.js';

const INSERT = `insert into storage_moves (owner_type, owner_id, source_storage, destination_storage, user_id)
  values ($1, $2, $3, $4, $5) returning id`;

/** The owner to move. */
export interface OwnerToMove {
  readonly ownerType: OwnerType;
  readonly ownerId: number;
}

/**
 * Schedules moves: from the commit on the owner is read-only, and a job to carry out the move is enqueued.
 */
@Injectable()
export class MoveSchedulingService {
  constructor(
    private readonly owners: MoveOwnersService,
    private readonly choice: StorageChoiceService,
    private readonly jobs: Jobs,
    private readonly audit: MoveAudit,
  ) {}

  /**
   * Schedules the move of an owner and returns its id; the default destination is chosen by weight.
   * @throws 404; 400 during a move, or if the destination is unknown, is the present storage, or cannot be
   * chosen
   */
  async schedule(
    tx: Tx,
    owner: OwnerToMove,
    wanted: string | null,
    author: MoveAuthor | null,
  ): Promise<number> {
    const { ownerType, ownerId } = owner;
    const { key, title } = MOVE_KINDS[ownerType];
    const found = await this.owners.lock(tx, owner);
    if (!found) throw notFound(title);
    if (found.readOnly) throw invalid({ [key]: ['is read-only'] });
    const destination = this.destination(found.storage, wanted);
    await this.owners.setReadOnly(tx, owner, true);
    const values = [ownerType, ownerId, found.storage, destination, author?.id ?? null];
    const [move] = await tx.query<[{ id: number }]>(INSERT, values);
    await this.audit.one(tx, author, owner, found.storage, destination);
    await this.jobs.enqueue(tx, RunMoveJob, { moveId: move.id });
    return move.id;
  }

  /** Returns the destination for something on `source`. @throws 400 */
  destination(source: string, wanted: string | null): string {
    const problem = (text: string): Error => invalid({ destination_storage_name: [text] });
    if (!this.choice.exists(source)) throw invalid({ source_storage_name: ['is not included in the list'] });
    if (wanted !== null && !this.choice.exists(wanted)) throw problem('is not included in the list');
    const destination = wanted ?? this.choice.chooseOrNull(source);
    if (destination === null) throw problem('cannot be chosen: no other storage has a weight');
    if (destination === source) throw problem('must not be the source storage');
    return destination;
  }
}
