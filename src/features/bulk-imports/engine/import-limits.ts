/** Limits and times of the engine (`ops.md` 1.5 and 1.6); tests provide others. */
export class ImportLimits {
  /** Entities of one import that are brought over at a time. */
  entitiesAtOnce = 5;
  /** Failed calls of one kind after which a relation gives up. */
  retriesOfKind = 10;
  /** First pause before an export that is not ready is asked for again; it grows to the last one, so that small things are quick. */
  firstExportPauseMs = 250;
  lastExportPauseMs = 10_000;
  /** A source that says nothing at all of an export that it was asked for. */
  emptyStatusMs = 5 * 60_000;
  /** The same for a relation that a source need not have, since it was asked for all of them: then it has none. */
  emptyExtensionMs = 5_000;
  /** An export that never becomes ready. */
  exportMs = 90 * 60_000;
  /** How long a run may wait for files of its source before others have their turn; a longer turn where nothing comes of that. */
  turnMs = 5 * 60_000;
  longestTurnMs = 2 * 3_600_000;
  /** Longest unpacked file of a relation; once it is large, at most so many times its packed size. */
  unpackedBytes = 10 * 1024 ** 3;
  ratio = 500;
  ratioFromBytes = 64 * 1024 ** 2;
  /** Files into which a relation may be split. */
  files = 100_000;
  /** Pauses after a file that is damaged, and after a disk that is full. */
  damagedPauseMs = 60_000;
  diskFullPauseMs = 120_000;
  /** Time in which some of a file must be read. */
  stallMs = 210_000;
  lineBytes = 50 * 1024 ** 2;
  /** Values within one line: each costs many times its text in memory. */
  lineValues = 1_000_000;
  /** What is written in one transaction. */
  batchRows = 500;
  batchBytes = 4 * 1024 ** 2;
  /** Batches above that are read one at a time in a process. */
  largeBytes = 8 * 1024 ** 2;
  /** Failures of one relation that are kept; more are counted. */
  failuresKept = 1_000;
  /** Unknown users that are asked for between two batches; the importing user stands in for the others. */
  usersPerBatch = 5_000;
  usersAtOnce = 4;
  /** An import in which nothing happens for so long has timed out; the token of one with failed entities is kept so long after its end. */
  staleHours = 24;
}
