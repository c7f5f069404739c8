/** The archive is none, or one that contradicts itself. */
export class InvalidArchive extends Error {}
