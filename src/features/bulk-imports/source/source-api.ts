import type { Portable } from '#core/exchange/relation-export.js';
import type { SourceRecord } from '#core/exchange/source-record.js';

/** Values of a query. */
export type SourceQuery = Readonly<Record<string, string | number | boolean>>;

/** Status of an exported relation at the source. */
export interface ExportStatus {
  readonly status: 'pending' | 'started' | 'finished' | 'failed';
  readonly error: string | null;
  readonly batched: boolean;
  /** 0 unless batched. */
  readonly batchesCount: number;
  /** Batches that the source failed to export, with its reasons: they have no files. */
  readonly failedBatches: ReadonlyMap<number, string>;
  /**
   * Identifies the files of a batched export: if the source exports again, also the same records, it differs.
   * Null if the source does not report when it has written them.
   */
  readonly edition: string | null;
  /** Null if the source does not report it. */
  readonly objectsCount: number | null;
}

/**
 * REST client of the source of an import; each call is limited in time and size, and connects only to checked
 * addresses.
 */
export interface SourceApi {
  readonly url: string;
  /** Returns a JSON response that is an object. @throws SourceRefused @throws SourceBusy */
  get(path: string, query?: SourceQuery): Promise<SourceRecord>;
  /**
   * Returns the length of a list from `x-total` (requests one entry); null if the source does not report it.
   */
  count(path: string, query?: SourceQuery): Promise<number | null>;
  /**
   * Reads the pages of a list, following `x-next-page`; throws `SourceRefused` if they form a cycle or never
   * end.
   */
  pages(path: string, query?: SourceQuery): AsyncIterable<readonly SourceRecord[]>;
  /** Requests the export of all relations of a group or project. */
  requestExport(of: Portable, id: number): Promise<void>;
  /**
   * Returns the status of an export; null if the source does not know the relation (yet): v4 servers list
   * relations gradually.
   */
  exportStatus(of: Portable, id: number, relation: string): Promise<ExportStatus | null>;
  /**
   * Returns whether the source states that it never exports a relation with that name; sources need not do
   * so.
   */
  neverExports(of: Portable, id: number, relation: string): Promise<boolean>;
  /**
   * Downloads the (compressed) file of a relation or a batch to `file`; complete, or partial so that the next
   * call continues it. A shorter or longer body than announced is `SourceBusy`, as is one that takes longer
   * than `withinMs` (of kind `LATE`); one above the limit is `SourceRefused`.
   */
  download(
    of: Portable,
    id: number,
    relation: string,
    batch: number | null,
    file: string,
    withinMs: number,
  ): Promise<void>;
  /**
   * Returns the image at a path, within the limit of images; null if there is none. @throws SourceRefused
   * @throws SourceBusy
   */
  picture(path: string): Promise<Buffer | null>;
  /**
   * Returns arguments and environment with which git can fetch `<url>/<path>.git`, with the address pinned;
   * the token appears in no argument.
   */
  gitAccess(path: string): Promise<{
    readonly url: string;
    readonly config: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }>;
  /**
   * Returns the delay that a source requests after it was busy for git, within bounds: git does not report
   * the header itself.
   */
  gitPauseMs(path: string): Promise<number>;
}

/** Opens the source of an import. */
export abstract class Sources {
  /** @param signal aborts all calls */
  abstract open(url: string, token: string, signal: AbortSignal): SourceApi;
}
