/**
 * Thrown if the relation no longer belongs to this run: the import was canceled, or its entity failed.
 * Nothing remains to be done.
 */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** Thrown if the source has not finished what a relation needs. */
export class NotReady extends Error {
  override readonly name = 'NotReady';

  constructor(readonly pauseMs: number) {
    super('The export is not ready');
  }
}

/** Thrown if the source does not have an optional relation. */
export class NothingThere extends Error {
  override readonly name = 'NothingThere';
}

/** Thrown if the relation cannot be imported; the message is shown to users. */
export class RelationFailed extends Error {
  override readonly name = 'RelationFailed';
}
