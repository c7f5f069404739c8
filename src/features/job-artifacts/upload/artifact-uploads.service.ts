import { Injectable, Logger } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, forbidden, HttpError, invalid, unavailable } from '#kernel/http/errors.js';
import { bind } from '#kernel/http/fields/binder.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { isTooLong, takeUpload } from '#kernel/http/bodies/files/upload.js';
import { ObjectTooLarge } from '#kernel/object-storage/object-storage.js';
import { isStoreRefusal } from '#kernel/object-storage/store-refusal.js';
import {
  ArtifactStoreService,
  type NewArtifact,
  type StagedObject,
} from '#core/ci/artifacts/artifact-store.service.js';
import { isPackedAs } from '#core/ci/artifacts/artifact-types.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';
import { JobCredentialFinder, notRunning, type RunnerJob } from '#core/ci/tokens/job-credential.finder.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { ArtifactFileService, type ReadArtifact } from './artifact-file.service.js';
import { expireAt } from './expire-at.js';
import { UploadJobArtifactParams } from './upload-job-artifact.params.js';

const MIB = 1024 * 1024;
const MAX_NAME = 255;

const ADD_VARIABLES = `insert into ci_job_variables (job_id, key, value) select $1, * from unnest($2::text[], $3::text[])
  on conflict (job_id, key) do update set value = excluded.value`;

/**
 * The job shows the expiry of its archive; without one, that of its reports. One non-public file makes all of
 * them non-public, so that later uploads never reveal earlier ones.
 */
const SHOW_EXPIRY = `update ci_jobs set artifacts_public = artifacts_public and coalesce($3, true), updated_at = now(),
    artifacts_expire_at = case when $4 or not exists (select 1 from ci_job_artifacts where job_id = $1 and file_type = 'archive')
      then $2 else artifacts_expire_at end
  where id = $1`;

/**
 * Receives artifacts from runners: streams them to the object storage, reads some types, and adds them to the
 * job.
 */
@Injectable()
export class ArtifactUploadsService {
  private readonly log = new Logger(ArtifactUploadsService.name);

  constructor(
    private readonly credential: JobCredentialFinder,
    private readonly settings: SettingsService,
    private readonly store: ArtifactStoreService,
    private readonly file: ArtifactFileService,
    private readonly pipelines: PipelinesService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Adds a file to a running job; the same file again changes nothing. @throws 400 @throws 403 @throws 413
   */
  async add(request: ApiRequest, params: UploadJobArtifactParams): Promise<void> {
    const job = await this.credential.runnerJob(request, params.id, { touch: false });
    const { max_artifacts_size: maxSize } = this.settings.values;
    if (isTooLong(request, maxSize * MIB)) throw tooLarge();
    this.refuseEarly(params);
    let staged: StagedObject | undefined;
    try {
      const { name, fields } = await takeUpload(request, 'file', maxSize * MIB, async (file, known) => {
        this.refuseEarly(withFields(params, known));
        staged = await this.store.stage(job.projectId, file, maxSize * MIB);
      });
      const all = withFields(params, fields);
      const artifact = { ...this.typeOf(all), filename: cleanName(name) };
      const isNew = await this.keep(job, staged as StagedObject, all, artifact);
      if (isNew) return;
    } catch (error) {
      if (staged) await this.store.discard(staged);
      throw this.answerTo(error);
    }
    await this.store.discard(staged as StagedObject);
  }

  /** Refuses what no field that comes later can make valid. @throws 400 */
  private refuseEarly(params: UploadJobArtifactParams): void {
    const { artifact_type: type, artifact_format: format } = params;
    if (type !== undefined && format !== undefined) this.typeOf(params);
    else this.expiryOf(params);
  }

  private expiryOf({ expire_in: sent }: UploadJobArtifactParams): Date | null {
    return expireAt(sent, this.settings.values.default_artifacts_expire_in);
  }

  private typeOf(params: UploadJobArtifactParams): Omit<NewArtifact, 'filename'> {
    const { artifact_type: fileType = 'archive', artifact_format: fileFormat = 'zip' } = params;
    if (!isPackedAs(fileType, fileFormat)) throw badRequest('Invalid file format with specified file type');
    return { fileType, fileFormat, expireAt: this.expiryOf(params) };
  }

  /** Runners retry after an error of the storage. */
  private answerTo(error: unknown): unknown {
    if (error instanceof ObjectTooLarge) return tooLarge();
    if (!isStorageFailure(error)) return error;
    this.log.error(error);
    return unavailable(60);
  }

  private async keep(
    job: RunnerJob,
    staged: StagedObject,
    params: UploadJobArtifactParams,
    artifact: NewArtifact,
  ): Promise<boolean> {
    // The service reads the content of archives itself.
    if (artifact.fileType === 'metadata') return false;
    const read = await this.file.read(artifact.fileType, staged);
    return this.transactions.run(async (tx) => {
      await this.assertRuns(tx, job);
      const known = await this.store.digestOf(tx, job.id, artifact.fileType);
      if (known === staged.sha256) return false;
      if (known !== null) throw badRequest('another artifact of the same type already exists');
      await this.store.add(tx, job, read.index ? { ...artifact, index: read.index } : artifact, staged);
      await this.show(tx, job, params, artifact, read);
      return true;
    });
  }

  private async show(
    tx: Tx,
    job: RunnerJob,
    { accessibility }: UploadJobArtifactParams,
    { fileType, expireAt: expiry }: NewArtifact,
    { variables }: ReadArtifact,
  ): Promise<void> {
    const isPublic = accessibility === undefined ? null : accessibility === 'public';
    await tx.query(SHOW_EXPIRY, [job.id, expiry, isPublic, fileType === 'archive']);
    if (variables.size > 0)
      await tx.query(ADD_VARIABLES, [job.id, [...variables.keys()], [...variables.values()]]);
  }

  /** The job may have ended during the upload. @throws 403 */
  private async assertRuns(tx: Tx, { id, projectId }: RunnerJob): Promise<void> {
    const { job } = await this.pipelines.lockJob(tx, projectId, id).catch((error: unknown) => {
      throw error instanceof HttpError ? forbidden() : error;
    });
    if (job.erasedAt) throw forbidden('Job has been erased!');
    if (job.status !== 'running') throw notRunning(job.status);
  }
}

/** Runners send parameters in the query, other clients as fields of the form. @throws 400 */
function withFields(
  params: UploadJobArtifactParams,
  fields: ReadonlyMap<string, string>,
): UploadJobArtifactParams {
  const { id, ...others } = params;
  const bound = bind(UploadJobArtifactParams, [{ id }, Object.fromEntries(fields), others]);
  if (!bound.ok) throw invalid(bound.problems);
  return bound.value;
}

/** Error of the disk or of S3. */
const isStorageFailure = (error: unknown): boolean =>
  /^E(NOSPC|DQUOT|IO|ROFS|FBIG|MFILE|NFILE)$/.test((error as NodeJS.ErrnoException).code ?? '') ||
  isStoreRefusal(error);

const tooLarge = (): HttpError => new HttpError(413, { message: 'file size has reached maximum size limit' });

/** Cleans a name for headers and file systems. */
function cleanName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not get through
  const clean = name.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, '_');
  return clean.slice(-MAX_NAME).toWellFormed();
}
