/** Thrown if a file is not an archive, or an inconsistent one. */
export class InvalidArchive extends Error {}
