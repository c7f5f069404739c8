import { MAX_JSON_VALUES } from '#kernel/http/bodies/json/json-values.js';

/** Times and sizes of calls to a source (`ops.md` 1.2, 1.5); tests provide others. */
export class SourceLimits {
  /** Limit of all calls together while a client waits for its request. */
  patienceMs = 10_000;
  /** Limit of the calls that count for a dry run after that. */
  planMs = 30_000;
  /** Limit of a call with a JSON response. */
  requestMs = 60_000;
  /** A source that sends nothing for this long does not answer. */
  idleMs = 60_000;
  /** Delay before a retry, unless the source requests another one within these bounds. */
  retryMs = 30_000;
  leastRetryMs = 1_000;
  mostRetryMs = 3_600_000;
  jsonBytes = 10 * 1024 ** 2;
  /**
   * Limit of values in a JSON response, as in requests: a page of records has a few thousand, and more are not
   * parsed in one turn.
   */
  jsonValues = MAX_JSON_VALUES;
  /** Above the limit of images accepted here. */
  pictureBytes = 1024 ** 2;
  fileBytes = 5 * 1024 ** 3;
  /** Limit of pages of a list. */
  pages = 10_000;
}
