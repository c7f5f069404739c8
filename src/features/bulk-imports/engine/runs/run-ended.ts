/** The relation does not belong to this run any more: the import was cancelled, or its entity has failed. Nothing is left to do. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** What a relation needs is not ready at the source yet. */
export class NotReady extends Error {
  override readonly name = 'NotReady';

  constructor(readonly pauseMs: number) {
    super('The export is not ready');
  }
}

/** The source does not have a relation that it need not have. */
export class NothingThere extends Error {
  override readonly name = 'NothingThere';
}

/** The relation cannot be brought over; the message is shown. */
export class RelationFailed extends Error {
  override readonly name = 'RelationFailed';
}
