import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import { ObjectStorage, type StoredObject } from '#kernel/object-storage/object-storage.js';
import type { ArtifactFormat } from './artifact-types.js';

/** Content in the object storage that no row refers to yet. */
export interface StagedObject extends StoredObject {
  readonly key: string;
}

/** Metadata of an artifact. */
export interface NewArtifact {
  readonly fileType: string;
  /** Null for traces. */
  readonly fileFormat: ArtifactFormat | null;
  readonly filename: string;
  /** Null if it does not expire. */
  readonly expireAt: Date | null;
  /** For archives, the index of their files. */
  readonly index?: { readonly entries: Buffer; readonly count: number };
}

const INSERT = `insert into ci_job_artifacts
    (project_id, job_id, file_type, file_format, filename, size, sha256, object_key, expire_at, entries, entry_count)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/**
 * Stores artifacts: content in the object storage, and a row for each. Content is staged first, outside of
 * transactions; then its row is added in a transaction. Staged content without a row is removed
 * automatically.
 */
@Injectable()
export class ArtifactStoreService {
  constructor(
    private readonly claims: ObjectClaims,
    private readonly storage: ObjectStorage,
  ) {}

  /** Stages content in the object storage. @throws ObjectTooLarge */
  async stage(projectId: number, content: Readable | Buffer, maxBytes?: number): Promise<StagedObject> {
    const key = await this.claims.claim(`artifacts/${projectId}`);
    try {
      const options = maxBytes === undefined ? {} : { maxBytes };
      const put = (): Promise<StoredObject> => this.storage.put(key, content, options);
      return { key, ...(await this.claims.renewedWhile(key, put)) };
    } catch (error) {
      await this.claims.giveUp(key);
      throw error;
    }
  }

  /** Discards staged content that will not get a row. */
  discard({ key }: StagedObject): Promise<void> {
    return this.claims.giveUp(key);
  }

  /**
   * Adds the row of staged content. The caller has locked the pipeline of the job and checked that the job
   * has no artifact of this type.
   */
  async add(
    tx: Tx,
    job: { readonly id: number; readonly projectId: number },
    artifact: NewArtifact,
    staged: StagedObject,
  ): Promise<void> {
    const { fileType, fileFormat, filename, expireAt, index } = artifact;
    const { key, size, sha256 } = staged;
    await this.claims.keep(tx, key);
    const file = [fileType, fileFormat, filename, size, sha256, key, expireAt];
    await tx.query(INSERT, [job.projectId, job.id, ...file, index?.entries ?? null, index?.count ?? null]);
  }

  /** Returns the digest of the job's file of this type, or null. */
  async digestOf(tx: Tx, jobId: number, fileType: string): Promise<string | null> {
    const [row] = await tx.query<{ sha256: string }[]>(
      'select sha256 from ci_job_artifacts where job_id = $1 and file_type = $2',
      [jobId, fileType],
    );
    return row?.sha256 ?? null;
  }

  /**
   * Removes the artifacts of a job, including kept ones, and its trace unless `keepTrace`; returns the number
   * of removed files.
   */
  async removeOfJob(tx: Tx, jobId: number, { keepTrace }: { readonly keepTrace: boolean }): Promise<number> {
    const [, removed] = await tx.query<[unknown[], number]>(
      `delete from ci_job_artifacts where job_id = $1 and (file_type <> 'trace' or not $2::boolean)`,
      [jobId, keepTrace],
    );
    return removed;
  }
}
