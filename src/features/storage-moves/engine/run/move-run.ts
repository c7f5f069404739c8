import { join } from 'node:path';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { relativePath, type RepositoryKind } from '#core/repositories/repository-ref.js';
import type { StoragesService } from '#core/repositories/storages.service.js';
import { MoveFailure } from './move-failure.js';
import type { OpenCopy } from '../copying/open-copy.js';
import { isSameFolder } from '../copying/same-folder.js';
import type { Move } from '../../storage-move.js';

/** Folder of unfinished copies on each storage; no repository is ever looked for in it. */
export const MOVES_FOLDER = '+moves';

/** One run of a move by one worker. */
export class MoveRun {
  /** Whether both storages are the same folder, so that there is nothing to copy or to remove. */
  inPlace = false;
  /** Whether the owner lives on the destination already. */
  isReplicated: boolean;
  copies: readonly OpenCopy[] = [];

  constructor(
    readonly move: Move,
    readonly context: JobContext,
    private readonly storages: StoragesService,
  ) {
    this.isReplicated = move.state === 'replicated';
  }

  /** Looks at the folders. @throws MoveFailure when a storage is not configured any more */
  async look(): Promise<void> {
    this.inPlace = await isSameFolder(this.sourceFolder, this.destinationFolder);
  }

  /** @throws MoveFailure when the storage is not configured any more */
  get sourceFolder(): string {
    return this.folderOf(this.move.source);
  }

  /** @throws MoveFailure when the storage is not configured any more */
  get destinationFolder(): string {
    return this.folderOf(this.move.destination);
  }

  /** Folder of this run alone: a former run that wakes up late finds its own one gone. */
  get staging(): string {
    return join(this.destinationFolder, MOVES_FOLDER, `${this.move.id}-${this.context.runToken}`);
  }

  /** Where a repository lies in the folder of a storage. */
  placeIn(folder: string, kind: RepositoryKind): string {
    const { ownerType, ownerId } = this.move;
    return join(folder, relativePath({ ownerType, ownerId, kind }));
  }

  /** Throws unless this run still owns the move: to be called before whatever touches a place that other runs use too. */
  readonly confirm = async (): Promise<void> => {
    this.context.signal.throwIfAborted();
    await this.context.heartbeat();
  };

  private folderOf(storage: string): string {
    if (!this.storages.names.includes(storage))
      throw new MoveFailure(`The storage ${storage} is not configured`);
    return this.storages.folder(storage);
  }
}
