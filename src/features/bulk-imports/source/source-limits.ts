/** Times and sizes of calls to a source (`ops.md` 1.2, 1.5); tests provide others. */
export class SourceLimits {
  /** All calls together that somebody waits for who asks for a migration. */
  patienceMs = 10_000;
  /** And then those that count what a dry run tells of. */
  planMs = 30_000;
  /** One call that is answered with JSON. */
  requestMs = 60_000;
  /** A source that sends nothing for so long does not answer. */
  idleMs = 60_000;
  /** Pause before a call is tried again, unless the source asks for another one within these bounds. */
  retryMs = 30_000;
  leastRetryMs = 1_000;
  mostRetryMs = 3_600_000;
  jsonBytes = 10 * 1024 ** 2;
  /** Values in such an answer: a page of records has some thousands. */
  jsonValues = 250_000;
  /** More than any picture may have that is taken here. */
  pictureBytes = 1024 ** 2;
  fileBytes = 5 * 1024 ** 3;
  /** Pages of one list. */
  pages = 10_000;
}
