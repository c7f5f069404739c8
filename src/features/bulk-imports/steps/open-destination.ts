import { repositoryReadOnly } from '#core/repositories/pushes/push-errors.js';
import { RepositoryUnavailable } from '#core/repositories/storages/repository-unavailable.js';
import { HttpError } from '#kernel/http/errors.js';
import { SourceBusy } from '../source/source-errors.js';

const MOVING_MS = 10_000;
const AWAY_MS = 60_000;

/** The repository moves to another storage: what is to be written to it waits. */
export const isMoving = (): SourceBusy =>
  new SourceBusy('The repository is being moved', 'moving', MOVING_MS);

/** Opens a repository that is to be filled. @throws SourceBusy while it moves, or while its disk is away */
export async function openDestination<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof RepositoryUnavailable) throw new SourceBusy(error.message, 'away', AWAY_MS);
    if (error instanceof HttpError && error.message === repositoryReadOnly().message) throw isMoving();
    throw error;
  }
}
