import { isReadOnly } from '#core/repositories/pushes/push-errors.js';
import { RepositoryUnavailable } from '#core/repositories/storages/repository-unavailable.js';
import { SourceBusy } from '../source/source-errors.js';

const MOVING_MS = 10_000;
const AWAY_MS = 60_000;

/** Error while a storage move keeps the repository read-only: the import waits. */
export const isMoving = (): SourceBusy =>
  new SourceBusy('The repository is being moved', 'moving', MOVING_MS);

/**
 * Opens a repository to be filled. @throws SourceBusy during a storage move, or while its disk is unavailable
 */
export async function openDestination<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof RepositoryUnavailable) throw new SourceBusy(error.message, 'away', AWAY_MS);
    if (isReadOnly(error)) throw isMoving();
    throw error;
  }
}
