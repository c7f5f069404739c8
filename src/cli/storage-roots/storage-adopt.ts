import { AdoptStorage } from '#core/repositories/storages/adopt-storage.use-case.js';
import { withServices } from '../framework/context.js';
import { CommandError, type CommandResult } from '../framework/output.js';
import { requireStorage } from './require-storage.js';

/** Storage to adopt. */
export interface StorageAdoptOptions {
  readonly storage: string;
  readonly acceptMissing?: boolean;
}

/**
 * Accepts what is mounted now as the root of a storage, after its disk was replaced. Access to missing
 * repositories stays refused until they are restored.
 */
export async function storageAdopt({ storage, acceptMissing }: StorageAdoptOptions): Promise<CommandResult> {
  return withServices(async ({ config, app }) => {
    const folder = requireStorage(config, storage);
    const adoption = app.get(AdoptStorage, { strict: false });
    const { expected, present } = await adoption.presence(storage);
    const missing = expected - present;
    if (missing > 0 && acceptMissing !== true)
      throw new CommandError(
        `${folder} lacks ${missing} of the ${expected} newest repositories that should be there: ` +
          'restore them first, or use --accept-missing',
      );
    await adoption.replace(storage);
    return {
      json: { storage, folder, expected, missing },
      lines: [
        `${folder} is now the root of ${storage}; ${missing} of ${expected} repositories are missing there.`,
      ],
    };
  });
}
