import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { findSplitSecret } from './split-secret.js';

/** Content of a trace, as a stream that must be read to the end or destroyed. */
export interface TraceContent {
  readonly size: number;
  readonly stream: Readable;
}

/** Bytes appended to a trace, and its new size; rejected bytes change nothing. */
export interface Appended {
  readonly isTaken: boolean;
  readonly size: number;
}

/** Size of the chunks without reading them: PostgreSQL stores the length of a value in its header. */
const SIZE = `select start + octet_length(data) as size from ci_trace_chunks where job_id = $1 order by start desc limit 1`;

/** Limits of chunks, and of bytes of more than one chunk, that are read at once: a long trace has thousands of small ones. */
const CHUNKS_AT_A_TIME = 200;
const BYTES_AT_A_TIME = 1024 * 1024;

const NEXT_CHUNKS = `select start, data from (
    select start, data, sum(octet_length(data)) over (order by start) as bytes from (
      select start, data from ci_trace_chunks where job_id = $1 and start >= $2 order by start limit ${CHUNKS_AT_A_TIME}) following) counted
  where start = $2 or bytes <= ${BYTES_AT_A_TIME} order by start`;

/** Looks in both stores at once, because a trace can be moved between two queries. */
const LOCATE = `select a.object_key as key, coalesce(a.size, (${SIZE}), 0) as size
  from (select $1::bigint as job_id) j left join ci_job_artifacts a on a.job_id = j.job_id and a.file_type = 'trace'`;

const ARCHIVED = `select object_key as key, size from ci_job_artifacts where job_id = $1 and file_type = 'trace'`;

/**
 * Two runners, or a retry, may send the same bytes concurrently: the primary key lets only one of them insert
 * at this start. The lock keeps the job running until the commit, so that archiving after its end sees all
 * bytes.
 */
const APPEND = `with running as materialized (select 1 from ci_jobs where id = $1 and status = 'running' for share),
  added as (
    insert into ci_trace_chunks (job_id, start, data)
    select $1, $2::bigint, $3::bytea from running where coalesce((${SIZE}), 0) = $2
    on conflict do nothing returning 1)
  select exists (select 1 from added) as taken`;

const CHUNK_AT = 'select max(start) from ci_trace_chunks where job_id = $1 and start <= $2';

/** Text before $3, from the chunk at $2 on; only the end of large chunks. */
const BEFORE = `select substring(data from greatest(octet_length(data) - ($3::bigint - $2::bigint)::int + 1, 1)) as data from ci_trace_chunks
  where job_id = $1 and start >= coalesce((${CHUNK_AT}), 0) and start < $3 order by start`;

/** Masks from $2 to $3, across chunks. */
const BLOT = `update ci_trace_chunks c set data = overlay(c.data placing convert_to(repeat('x', part.length), 'UTF8') from part.at for part.length)
  from (select start, (greatest($2 - start, 0) + 1)::int as at,
      (least($3, start + octet_length(data)) - greatest($2, start))::int as length
    from ci_trace_chunks where job_id = $1 and start >= coalesce((${CHUNK_AT}), 0) and start < $3) part
  where c.job_id = $1 and c.start = part.start and part.length > 0`;

/** Viewers poll more often than this. */
const WATCH = `update ci_jobs set trace_watched_at = now() where id = $1 and status = 'running'
  and (trace_watched_at is null or trace_watched_at < now() - interval '20 seconds')`;

/** Stores traces: in chunks while the job runs, in one object when it has finished. */
@Injectable()
export class TracesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly storage: ObjectStorage,
  ) {}

  /** Returns the size of a trace in bytes. */
  async size(jobId: number): Promise<number> {
    return (await this.locate(jobId)).size;
  }

  /**
   * Appends bytes to the trace of a running job, if they begin at its end. Bytes that end at its end are a
   * repeated request whose response was lost: they are accepted without being appended. If they complete the
   * job's token, it is masked together with its earlier part.
   */
  async append(jobId: number, start: number, data: Buffer, secret: string): Promise<Appended> {
    const isAdded = data.length > 0 && (await this.add(jobId, start, data, secret));
    const size = isAdded ? start + data.length : await this.sizeOfChunks(jobId);
    return { isTaken: size === start + data.length, size };
  }

  /** Reads the current trace; empty if there is no output yet. */
  async read(jobId: number): Promise<TraceContent> {
    const { key, size } = await this.locate(jobId);
    if (key !== null) return { size, stream: await this.storage.get(key) };
    return { size, stream: Readable.from(this.chunks(jobId, size), { objectMode: false }) };
  }

  /** Reads this many bytes at the end of a trace. */
  async end(jobId: number, bytes: number): Promise<Buffer> {
    const { stream } = await this.read(jobId);
    let end: Buffer = Buffer.alloc(0);
    for await (const chunk of stream) {
      const joined = Buffer.concat([end, chunk as Buffer]);
      end = joined.subarray(Math.max(0, joined.length - bytes));
    }
    return end;
  }

  /**
   * Records that a user views the trace: while the job runs, its runner is asked to send updates more often.
   */
  async watch(jobId: number): Promise<void> {
    await this.transactions.run((tx) => tx.query(WATCH, [jobId]));
  }

  /** Removes the chunks of a trace; an archived trace is removed as an artifact. */
  async remove(tx: Tx, jobId: number): Promise<void> {
    await tx.query('delete from ci_trace_chunks where job_id = $1', [jobId]);
  }

  private async locate(jobId: number): Promise<{ key: string | null; size: number }> {
    return (await this.database.one(LOCATE, [jobId])) ?? { key: null, size: 0 };
  }

  private async sizeOfChunks(jobId: number): Promise<number> {
    return (await this.database.one<{ size: number }>(SIZE, [jobId]))?.size ?? 0;
  }

  private add(jobId: number, start: number, data: Buffer, secret: string): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<{ taken: boolean }[]>(APPEND, [jobId, start, data]);
      if (row?.taken !== true) return false;
      await this.blotSplit(tx, jobId, { start, data, secret });
      return true;
    });
  }

  /** Earlier text is committed, because bytes are only accepted at the end of the trace. */
  private async blotSplit(
    tx: Tx,
    jobId: number,
    { start, data, secret }: { readonly start: number; readonly data: Buffer; readonly secret: string },
  ): Promise<void> {
    const from = Math.max(0, start - 2 * secret.length);
    if (from === start) return;
    const chunks = await tx.query<{ data: Buffer }[]>(BEFORE, [jobId, from, start]);
    const before = Buffer.concat(chunks.map((chunk) => chunk.data));
    const split = findSplitSecret(before.subarray(Math.max(0, before.length - (start - from))), data, secret);
    if (split) await tx.query(BLOT, [jobId, start - split.before, start + split.after]);
  }

  /**
   * Reads a few chunks at a time, up to the reported size: between two reads, more chunks may arrive, or all of them
   * may be archived and removed.
   */
  private async *chunks(jobId: number, size: number): AsyncGenerator<Buffer> {
    let position = 0;
    while (position < size) {
      const values = [jobId, position];
      const next = await this.database.long<{ start: number; data: Buffer }>(NEXT_CHUNKS, values);
      if (next[0]?.start !== position) {
        yield* await this.rest(jobId, position, size);
        return;
      }
      const joined = Buffer.concat(next.map(({ data }) => data));
      position += joined.length;
      yield position > size ? joined.subarray(0, joined.length - (position - size)) : joined;
    }
  }

  private async rest(jobId: number, position: number, size: number): Promise<Readable> {
    const archived = await this.database.one<{ key: string; size: number }>(ARCHIVED, [jobId]);
    if (!archived) throw new Error('The trace was removed while it was read');
    return this.storage.range(archived.key, position, size - 1);
  }
}
