/** Limits and times of the engine (`ops.md` 1.5 and 1.6); tests provide others. */
export class ImportLimits {
  /** Entities of an import that run at a time. */
  entitiesAtOnce = 5;
  /** Failed calls of one kind after which a relation fails. */
  retriesOfKind = 10;
  /**
   * First delay before checking an unfinished export again; it grows to the last one, so that small exports
   * are fast.
   */
  firstExportPauseMs = 250;
  lastExportPauseMs = 10_000;
  /** Time after which an export without any status fails. */
  emptyStatusMs = 5 * 60_000;
  /** The same for an optional relation, after all relations were requested: the source does not have it. */
  emptyExtensionMs = 5_000;
  /** Time after which an unfinished export fails. */
  exportMs = 90 * 60_000;
  /**
   * Time that a run may wait for files of the source before others get a turn; longer turns follow if nothing
   * was received.
   */
  turnMs = 5 * 60_000;
  longestTurnMs = 2 * 3_600_000;
  /**
   * Limit of the uncompressed size of a relation's file; for large files also as a multiple of the compressed
   * size.
   */
  unpackedBytes = 10 * 1024 ** 3;
  ratio = 500;
  ratioFromBytes = 64 * 1024 ** 2;
  /** Limit of files of a relation. */
  files = 100_000;
  /** Delays after a corrupt file and after a full disk. */
  damagedPauseMs = 60_000;
  diskFullPauseMs = 120_000;
  /** Time in which some of a file must be read. */
  stallMs = 210_000;
  lineBytes = 50 * 1024 ** 2;
  /** Limit of values in a line: each takes many times its text in memory. */
  lineValues = 1_000_000;
  /** Rows per transaction. */
  batchRows = 500;
  batchBytes = 4 * 1024 ** 2;
  /** Batches above this are read one at a time per process. */
  largeBytes = 8 * 1024 ** 2;
  /** Failures of a relation that are stored; others are only counted. */
  failuresKept = 1_000;
  /** Unknown users looked up between two batches; the importing user stands in for the others. */
  usersPerBatch = 5_000;
  usersAtOnce = 4;
  /**
   * Time after which an import without progress times out, and after whose end the token for resuming failed
   * entities is removed.
   */
  staleHours = 24;
}
