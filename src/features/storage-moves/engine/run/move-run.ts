import { join } from 'node:path';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { relativePath, type RepositoryKind } from '#core/repositories/repository-ref.js';
import type { StoragesService } from '#core/repositories/storages.service.js';
import { MoveFailure } from './move-failure.js';
import type { OpenCopy } from '../copying/open-copy.js';
import { isSameFolder } from '../copying/same-folder.js';
import type { Move } from '../../storage-move.js';

/** Folder of unfinished copies on each storage; never used for repositories. */
export const MOVES_FOLDER = '+moves';

/** A run of a move by a worker. */
export class MoveRun {
  /** Whether both storages are the same folder, so that there is nothing to copy or remove. */
  inPlace = false;
  /** Whether the owner is already on the destination. */
  isReplicated: boolean;
  copies: readonly OpenCopy[] = [];

  constructor(
    readonly move: Move,
    readonly context: JobContext,
    private readonly storages: StoragesService,
  ) {
    this.isReplicated = move.state === 'replicated';
  }

  /** Examines the folders. @throws MoveFailure if a storage is no longer configured */
  async look(): Promise<void> {
    this.inPlace = await isSameFolder(this.sourceFolder, this.destinationFolder);
  }

  /** Folder of the source. @throws MoveFailure if the storage is no longer configured */
  get sourceFolder(): string {
    return this.folderOf(this.move.source);
  }

  /** Folder of the destination. @throws MoveFailure if the storage is no longer configured */
  get destinationFolder(): string {
    return this.folderOf(this.move.destination);
  }

  /** Folder of only this run: a previous run that resumes late no longer finds its own. */
  get staging(): string {
    return join(this.destinationFolder, MOVES_FOLDER, `${this.move.id}-${this.context.runToken}`);
  }

  /** Returns the path of a repository in the folder of a storage. */
  pathIn(folder: string, kind: RepositoryKind): string {
    const { ownerType, ownerId } = this.move;
    return join(folder, relativePath({ ownerType, ownerId, kind }));
  }

  /** Asserts that this run still owns the move: call it before changing a path that other runs use too. */
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
