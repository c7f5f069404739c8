/** What transactions tell of writes that have been committed, where a reader needs to know. */
export abstract class WriteNotes {
  /** Notes that the current request has written. Await it before the answer leaves; undefined if there is nothing to wait for. Never rejects. */
  abstract written(): Promise<void> | undefined;
}
