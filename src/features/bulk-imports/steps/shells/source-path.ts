import type { Entity } from '../../bulk-import.js';

/** Path of the REST record of an entity at its source: by id once that is known, for paths change hands. */
export const sourcePath = ({ of, sourceId, sourceFullPath }: Entity): string =>
  `/${of}s/${sourceId ?? encodeURIComponent(sourceFullPath)}`;
