import type { Portable } from '#core/exchange/relation-export.js';
import type { SourceRecord } from '#core/exchange/source-record.js';

/** Values of a query. */
export type SourceQuery = Readonly<Record<string, string | number | boolean>>;

/** What the source says of one exported relation. */
export interface ExportStatus {
  readonly status: 'pending' | 'started' | 'finished' | 'failed';
  readonly error: string | null;
  readonly batched: boolean;
  /** 0 unless batched. */
  readonly batchesCount: number;
  /** Batches that the source could not write though it has written others, with its reasons: there are no files of them. */
  readonly failedBatches: ReadonlyMap<number, string>;
  /** Null when the source does not say. */
  readonly objectsCount: number | null;
}

/** The source of one import, by REST; every call is bounded in time and size, and connects to checked addresses only. */
export interface SourceApi {
  readonly url: string;
  /** A JSON answer that is an object. @throws SourceRefused @throws SourceBusy */
  get(path: string, query?: SourceQuery): Promise<SourceRecord>;
  /** Number of entries of a list as `x-total` says (one entry is asked for); null when the source does not say. */
  count(path: string, query?: SourceQuery): Promise<number | null>;
  /** The pages of a list, following `x-next-page`; ends with `SourceRefused` when they go in circles or never end. */
  pages(path: string, query?: SourceQuery): AsyncIterable<readonly SourceRecord[]>;
  /** Has the source write all relations of a group or project to files. */
  requestExport(of: Portable, id: number): Promise<void>;
  /** How far that is; null when the source knows nothing of the relation, or not yet: v4 servers list what they export bit by bit. */
  exportStatus(of: Portable, id: number, relation: string): Promise<ExportStatus | null>;
  /** Whether the source says that it never exports a relation of that name; it need not say so. */
  neverExports(of: Portable, id: number, relation: string): Promise<boolean>;
  /**
   * Writes the (compressed) file of a relation, or of one batch of it, to `file`; complete, or in part so that the next call
   * goes on with it: a shorter or longer body than announced is `SourceBusy`, as is one that takes longer than `withinMs` (its kind is `LATE`); one
   * above the limit is `SourceRefused`.
   */
  download(
    of: Portable,
    id: number,
    relation: string,
    batch: number | null,
    file: string,
    withinMs: number,
  ): Promise<void>;
  /** The picture at a path, as large as answers of that kind may be; null when there is none. @throws SourceRefused @throws SourceBusy */
  picture(path: string): Promise<Buffer | null>;
  /** Arguments and environment with which git may fetch `<url>/<path>.git`, with pinned address; the token appears in no argument. */
  gitAccess(path: string): Promise<{
    readonly url: string;
    readonly config: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }>;
  /** How long a source that has just had no time for git wants to be left alone, within bounds: git itself does not tell of that header. */
  gitPauseMs(path: string): Promise<number>;
}

/** Opens the source of an import. */
export abstract class Sources {
  /** @param signal aborts every call of the one who asks */
  abstract open(url: string, token: string, signal: AbortSignal): SourceApi;
}
