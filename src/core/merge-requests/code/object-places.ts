import { objectsOf, type ObjectEnvironment } from '#core/repositories/objects/quarantine.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';

/** Environment under which git sees in the repository of the target what the source has too. */
export const seeingObjectsOf = (source: OpenRepository, target: OpenRepository): ObjectEnvironment =>
  source.path === target.path ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objectsOf(source.path) };
