import { objectsOf, type ObjectEnvironment } from '#core/repositories/objects/quarantine.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';

/** Environment in which git, in the target repository, also sees the objects of the source. */
export const seeingObjectsOf = (source: OpenRepository, target: OpenRepository): ObjectEnvironment =>
  source.path === target.path ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objectsOf(source.path) };
