import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { findSplitSecret } from './split-secret.js';

/** What a trace holds, as a stream that must be read to its end or destroyed. */
export interface TraceContent {
  readonly size: number;
  readonly stream: Readable;
}

/** Bytes that arrived for a trace, and how many it has now; refused bytes have changed nothing. */
export interface Appended {
  readonly isTaken: boolean;
  readonly size: number;
}

/** The chunks say how many bytes there are without being read: the length of a value lies in its header. */
const SIZE = `select start + octet_length(data) as size from ci_trace_chunks where job_id = $1 order by start desc limit 1`;

const NEXT_CHUNK = `select start, data from ci_trace_chunks where job_id = $1 and start >= $2 order by start limit 1`;

/** Both places in one look: between two of them a trace can move. */
const PLACE = `select a.object_key as key, coalesce(a.size, (${SIZE}), 0) as size
  from (select $1::bigint as job_id) j left join ci_job_artifacts a on a.job_id = j.job_id and a.file_type = 'trace'`;

const ARCHIVED = `select object_key as key, size from ci_job_artifacts where job_id = $1 and file_type = 'trace'`;

/**
 * Two runners (or one that asks again) may send the same bytes at the same time: whoever comes first has the start, by the primary key.
 * The lock keeps the job running until the bytes are committed: what is archived once it has ended is all there will ever be.
 */
const APPEND = `with running as materialized (select 1 from ci_jobs where id = $1 and status = 'running' for share),
  added as (
    insert into ci_trace_chunks (job_id, start, data)
    select $1, $2::bigint, $3::bytea from running where coalesce((${SIZE}), 0) = $2
    on conflict do nothing returning 1)
  select exists (select 1 from added) as taken`;

const CHUNK_AT = 'select max(start) from ci_trace_chunks where job_id = $1 and start <= $2';

/** What comes before $3, from the chunk of $2 on; of large chunks the end alone. */
const BEFORE = `select substring(data from greatest(octet_length(data) - ($3::bigint - $2::bigint)::int + 1, 1)) as data from ci_trace_chunks
  where job_id = $1 and start >= coalesce((${CHUNK_AT}), 0) and start < $3 order by start`;

/** From $2 to $3, across chunks. */
const BLOT = `update ci_trace_chunks c set data = overlay(c.data placing convert_to(repeat('x', part.length), 'UTF8') from part.at for part.length)
  from (select start, (greatest($2 - start, 0) + 1)::int as at,
      (least($3, start + octet_length(data)) - greatest($2, start))::int as length
    from ci_trace_chunks where job_id = $1 and start >= coalesce((${CHUNK_AT}), 0) and start < $3) part
  where c.job_id = $1 and c.start = part.start and part.length > 0`;

/** Whoever looks on looks again before this is over. */
const WATCH = `update ci_jobs set trace_watched_at = now() where id = $1 and status = 'running'
  and (trace_watched_at is null or trace_watched_at < now() - interval '20 seconds')`;

/** What jobs have said: in chunks while they run, one object when they are done. */
@Injectable()
export class TracesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly storage: ObjectStorage,
  ) {}

  /** Bytes that a trace has. */
  async size(jobId: number): Promise<number> {
    return (await this.place(jobId)).size;
  }

  /**
   * Adds bytes to the trace of a running job when they begin where it ends. Bytes that end where it ends have come before: their answer got
   * lost, and they are taken without being added again. A secret that they end is blotted out with what has come of it before.
   */
  async append(jobId: number, start: number, data: Buffer, secret: string): Promise<Appended> {
    const isAdded = data.length > 0 && (await this.add(jobId, start, data, secret));
    const size = isAdded ? start + data.length : await this.sizeOfChunks(jobId);
    return { isTaken: size === start + data.length, size };
  }

  /** What the trace holds now; a job that has said nothing has an empty one. */
  async read(jobId: number): Promise<TraceContent> {
    const { key, size } = await this.place(jobId);
    if (key !== null) return { size, stream: await this.storage.get(key) };
    return { size, stream: Readable.from(this.chunks(jobId, size), { objectMode: false }) };
  }

  /** So many bytes at the end of a trace. */
  async end(jobId: number, bytes: number): Promise<Buffer> {
    const { stream } = await this.read(jobId);
    let end: Buffer = Buffer.alloc(0);
    for await (const chunk of stream) {
      const joined = Buffer.concat([end, chunk as Buffer]);
      end = joined.subarray(Math.max(0, joined.length - bytes));
    }
    return end;
  }

  /** Somebody looks at the trace of a job: while it runs, its runner is told to send more often. */
  async watch(jobId: number): Promise<void> {
    await this.transactions.run((tx) => tx.query(WATCH, [jobId]));
  }

  /** Forgets the chunks of a trace; an archived one is an artifact and goes as such. */
  async remove(tx: Tx, jobId: number): Promise<void> {
    await tx.query('delete from ci_trace_chunks where job_id = $1', [jobId]);
  }

  private async place(jobId: number): Promise<{ key: string | null; size: number }> {
    return (await this.database.one(PLACE, [jobId])) ?? { key: null, size: 0 };
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

  /** What came before has been committed: bytes are only taken where the trace ends. */
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

  /** Chunk by chunk, up to the size that was told: more may come meanwhile, and they may be archived and gone. */
  private async *chunks(jobId: number, size: number): AsyncGenerator<Buffer> {
    let position = 0;
    while (position < size) {
      const [chunk] = await this.database.long<{ start: number; data: Buffer }>(NEXT_CHUNK, [
        jobId,
        position,
      ]);
      if (chunk?.start !== position) {
        yield* await this.rest(jobId, position, size);
        return;
      }
      position += chunk.data.length;
      yield chunk.data.length > 0 && position > size
        ? chunk.data.subarray(0, chunk.data.length - (position - size))
        : chunk.data;
    }
  }

  private async rest(jobId: number, position: number, size: number): Promise<Readable> {
    const archived = await this.database.one<{ key: string; size: number }>(ARCHIVED, [jobId]);
    if (!archived) throw new Error('The trace was removed while it was read');
    return this.storage.range(archived.key, position, size - 1);
  }
}
