import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { RepositoryKind } from '#core/repositories/repository-ref.js';
import { readOwner } from '#core/repositories/storages/bare-repository.js';
import { setAside } from '#core/repositories/storages/set-aside.js';
import { repositoryLabel } from '../../storage-move.js';
import { MoveFailure } from '../run/move-failure.js';
import type { MoveRun } from '../run/move-run.js';
import { isSameFolder } from '../copying/same-folder.js';
import { exists, takeAway } from './set-aside.js';

/**
 * Whether this or a previous move may have left a copy on the destination: by placing it there, or by failing
 * to remove it.
 */
const MAY_BE_OURS = `select 1 from storage_moves where owner_type = $1 and owner_id = $2
  and (destination_storage = $3 and state <> 'finished' and journal @> '[{"step":"placing"}]'
    or source_storage = $3 and state = 'cleanup_failed') limit 1`;

const KNOWN = 'select kind, identity from repositories where owner_type = $1 and owner_id = $2';

interface Known {
  readonly kind: RepositoryKind;
  readonly identity: string | null;
}

/**
 * Manages copies on storages where the owner is not: left by a run that died between placing its copy and
 * recording that.
 */
@Injectable()
export class LeftoversService {
  private readonly logger = new Logger('StorageMoves');

  constructor(private readonly database: ReadDatabase) {}

  /**
   * Removes them from the destination. Only for a move whose owner is still on the source. @throws
   * MoveFailure if a copy is not from a move, or may be the only one
   */
  async clear(run: MoveRun): Promise<void> {
    const { ownerType, ownerId, destination } = run.move;
    for (const { kind, identity } of await this.database.short<Known>(KNOWN, [ownerType, ownerId])) {
      const path = run.pathIn(run.destinationFolder, kind);
      if (!(await exists(path))) continue;
      const label = repositoryLabel(ownerType, kind);
      const source = run.pathIn(run.sourceFolder, kind);
      await refuseSource(source, path);
      if (await this.keepForeign(run, kind, identity)) continue;
      if (!(await this.database.one(MAY_BE_OURS, [ownerType, ownerId, destination])))
        throw new MoveFailure(`Something else is in the place of the ${label} repository: ${path}`);
      if (!(await isOwn(source, identity)))
        throw new MoveFailure(`The ${label} repository is missing, but there is a copy of it at ${path}`);
      this.logger.warn(`Move ${run.move.id} removes leftovers of an earlier run at ${path}`);
      await takeAway(run, run.destinationFolder, path);
    }
  }

  /** Sets aside a repository of another owner, which may be its only copy. */
  private async keepForeign(run: MoveRun, kind: RepositoryKind, identity: string | null): Promise<boolean> {
    const { ownerType, ownerId } = run.move;
    const path = run.pathIn(run.destinationFolder, kind);
    const owner = await readOwner(path).catch(() => null);
    if (owner === null || identity === null || owner === identity) return false;
    await run.confirm();
    const kept = await setAside(run.destinationFolder, path, { ownerType, ownerId, kind });
    this.logger.warn(`${path} was occupied by a repository of another owner, which is kept at ${kept}`);
    return true;
  }
}

/** Returns whether the repository itself is at the path. */
async function isOwn(path: string, identity: string | null): Promise<boolean> {
  if (!(await exists(path))) return false;
  const owner = await readOwner(path).catch(() => null);
  return owner === null || identity === null || owner === identity;
}

/** Links within storages may lead to the repository itself. */
async function refuseSource(source: string, path: string): Promise<void> {
  if (await isSameFolder(source, path))
    throw new MoveFailure(`${path} is the same folder as the repository to be moved`);
}
