import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { tooLarge } from '#kernel/http/bodies/bounded-body.js';
import { isMultipart } from '#kernel/http/bodies/files/multipart.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { takeBody } from '#kernel/http/bodies/taken-body.js';
import { isTooLong, takeUpload } from '#kernel/http/bodies/files/upload.js';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import { ObjectStorage, ObjectTooLarge, type StoredObject } from '#kernel/object-storage/object-storage.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { PACKAGE_FILE_COLUMNS, type PackageFileRow } from '../package-file.record.js';
import type { PublishGenericFileParams } from './generic-packages.params.js';

/** Concurrent uploads of a new package create one row: the second waits for the first and uses its row. */
const TAKE_PACKAGE = `insert into packages (project_id, package_type, name, version, status, creator_id)
  select id, 'generic', $2, $3, coalesce($4, 'default'), $5 from projects where id = $1 and not pending_delete for key share
  on conflict (project_id, package_type, name, version) do update set status = coalesce($4, packages.status), updated_at = now()
  returning id`;

const ADD_FILE = `insert into package_files as f (project_id, package_id, file_name, size, sha256, object_key)
  values ($1, $2, $3, $4, $5, $6) returning ${PACKAGE_FILE_COLUMNS}`;

/** Only pipelines of the same project, because readers of the package may not see others. */
const LINK_PIPELINE = `insert into package_pipelines (package_id, pipeline_id)
  select $1, p.id from ci_jobs j join ci_pipelines p on p.id = j.pipeline_id
    join packages k on k.id = $1 and k.project_id = p.project_id where j.id = $2 for key share of p
  on conflict do nothing`;

/**
 * Receives files of generic packages: content is streamed to the object storage, and discarded if its row
 * cannot be created.
 */
@Injectable()
export class GenericUploadsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly claims: ObjectClaims,
    private readonly storage: ObjectStorage,
    private readonly settings: SettingsService,
  ) {}

  /** Publishes the body of a request. @throws 401, 403 and 404 if the caller has lost the right in the meantime, 413 */
  async publish(
    request: ApiRequest,
    project: ProjectSubject,
    caller: Caller,
    params: PublishGenericFileParams,
  ): Promise<PackageFileRow> {
    const maxBytes = this.settings.limits.generic_packages_max_file_size || Infinity;
    if (isTooLong(request, maxBytes)) throw tooLarge();
    const key = await this.claims.claim(`packages/${project.id}`);
    try {
      const receive = (): Promise<StoredObject> => this.receive(request, key, maxBytes);
      const stored = await this.claims.renewedWhile(key, receive);
      // The content may have taken hours to arrive.
      await request.readmit?.();
      return await this.transactions.run((tx) =>
        this.add(tx, project.id, caller, params, { key, ...stored }),
      );
    } catch (error) {
      await this.claims.giveUp(key);
      throw error instanceof ObjectTooLarge ? tooLarge() : error;
    }
  }

  /** The content is the body itself; some clients send a form with it. */
  private async receive(request: ApiRequest, key: string, maxBytes: number): Promise<StoredObject> {
    const options = Number.isFinite(maxBytes) ? { maxBytes } : {};
    const store = (content: Readable): Promise<StoredObject> => this.storage.put(key, content, options);
    if (!isMultipart(request)) return store(takeBody(request, { maxBytes }));
    return (await takeUpload(request, 'file', maxBytes, store)).result;
  }

  private async add(
    tx: Tx,
    projectId: number,
    { actor, credential }: Caller,
    { package_name: name, package_version: version, file_name: file, status }: PublishGenericFileParams,
    { key, size, sha256 }: StoredObject & { readonly key: string },
  ): Promise<PackageFileRow> {
    await this.claims.keep(tx, key);
    const values = [projectId, name, version, status ?? null, actor?.id ?? null];
    const [taken] = await tx.query<{ id: number }[]>(TAKE_PACKAGE, values);
    if (!taken) throw notFound('Project');
    if (credential?.kind === 'job') await tx.query(LINK_PIPELINE, [taken.id, credential.id]);
    const added = await tx.query<PackageFileRow[]>(ADD_FILE, [projectId, taken.id, file, size, sha256, key]);
    return added[0] as PackageFileRow;
  }
}
