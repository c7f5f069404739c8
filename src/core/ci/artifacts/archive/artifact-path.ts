/** Longest path that any file system takes. */
const MAX_PATH_BYTES = 4096;

// eslint-disable-next-line no-control-regex -- control characters are what must not get through
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Empty segments, and those that lead elsewhere. */
const LEADS_AWAY = new Set(['', '.', '..']);

const isPlain = (path: string): boolean =>
  !path.includes('\\') && path.split('/').every((segment) => !LEADS_AWAY.has(segment));

/**
 * Whether a path names a file within an archive and nothing else: relative, without any segment that leads up or nowhere, also for readers
 * that take signs of Unicode for the dots and slashes they look like. Files of other names are not indexed, and other paths not looked for.
 */
export const isArtifactPath = (path: string): boolean =>
  path.isWellFormed() &&
  Buffer.byteLength(path) <= MAX_PATH_BYTES &&
  !CONTROL.test(path) &&
  isPlain(path) &&
  isPlain(path.normalize('NFKC'));
