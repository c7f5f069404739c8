import type { Entity } from '../../bulk-import.js';

/**
 * Returns the path of the REST record of an entity at its source: by id once it is known, since paths can be
 * reassigned.
 */
export const sourcePath = ({ of, sourceId, sourceFullPath }: Entity): string =>
  `/${of}s/${sourceId ?? encodeURIComponent(sourceFullPath)}`;
