/** Maximum path length of common file systems. */
const MAX_PATH_BYTES = 4096;

// oxlint-disable-next-line no-control-regex -- control characters are what must not get through
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Segments that are empty or change the directory. */
const LEADS_AWAY = new Set(['', '.', '..']);

const isPlain = (path: string): boolean =>
  !path.includes('\\') && path.split('/').every((segment) => !LEADS_AWAY.has(segment));

/**
 * Returns whether a path is relative and names a file inside of the archive: no empty segments and none that
 * lead up, also for readers that treat Unicode look-alikes as dots and slashes. Other files are not indexed,
 * and other paths not searched.
 */
export const isArtifactPath = (path: string): boolean =>
  path.isWellFormed() &&
  Buffer.byteLength(path) <= MAX_PATH_BYTES &&
  !CONTROL.test(path) &&
  isPlain(path) &&
  isPlain(path.normalize('NFKC'));
