import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor, ProjectSubject } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { ErrorTrackingClientKey } from './client-key.entity.js';
import type { ClientKeyRow } from './client-key.record.js';
import { lockProject } from './project-lock.js';

/** Limit of keys; far above what rotation needs. */
const MAX_KEYS = 1_000;

/** SDKs accept letters, digits and underscores. */
const newKey = (): string => `glet_${randomBytes(16).toString('hex')}`;

const LIST: ListShape = {
  kind: 'ClientKey',
  select: 'k.id, k.project_id, k.active, k.public_key',
  from: 'error_tracking_client_keys k',
  key: 'k.id',
};

const ONE = `select ${LIST.select} from error_tracking_client_keys k where k.id = $1 and k.project_id = $2`;

type KeyProject = Pick<ProjectSubject, 'id' | 'fullPath'>;

/** Manages keys with which applications report errors. */
@Injectable()
export class ClientKeysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly database: ReadDatabase,
    private readonly audit: AuditLogService,
  ) {}

  /** Lists the keys of a project, oldest first. */
  list(projectId: number): ListQuery<ClientKeyRow> {
    return new ListQuery<ClientKeyRow>(LIST).of('k.project_id', projectId).orderBy('k.id', 'asc');
  }

  /** Returns a key of a project. @throws 404 */
  async find(projectId: number, id: number): Promise<ClientKeyRow> {
    const row = await this.database.one<ClientKeyRow>(ONE, [id, projectId]);
    if (!row) throw notFound('Client Key');
    return row;
  }

  /** Creates a key. @throws 400, 404 */
  create(project: KeyProject, actor: Actor): Promise<ClientKeyRow> {
    return this.transactions.run(async (tx) => {
      await lockProject(tx, project.id);
      if ((await tx.countBy(ErrorTrackingClientKey, { projectId: project.id })) >= MAX_KEYS)
        throw invalid({ base: [`a project can have at most ${MAX_KEYS} keys`] });
      return this.insert(tx, project, actor);
    });
  }

  /** Creates the first key of a project that has none; the caller holds its lock. */
  async ensure(tx: Tx, project: KeyProject, actor: Actor): Promise<void> {
    if (await tx.existsBy(ErrorTrackingClientKey, { projectId: project.id, active: true })) return;
    await this.insert(tx, project, actor);
  }

  /** Removes a key, which becomes invalid from the next event. @throws 404, 412 */
  async remove(project: KeyProject, actor: Actor, id: number, unmodified?: UnmodifiedCheck): Promise<void> {
    await this.transactions.run(async (tx) => {
      const key = await tx.findOne(ErrorTrackingClientKey, {
        where: { id, projectId: project.id },
        lock: { mode: 'pessimistic_write' },
      });
      if (!key) throw notFound('Client Key');
      unmodified?.(key.updatedAt);
      await tx.delete(ErrorTrackingClientKey, { id });
      await this.record(tx, project, actor, id, 'removed');
    });
  }

  private async insert(tx: Tx, project: KeyProject, actor: Actor): Promise<ClientKeyRow> {
    const made = await tx.save(
      tx.create(ErrorTrackingClientKey, { projectId: project.id, publicKey: newKey(), active: true }),
    );
    await this.record(tx, project, actor, made.id, 'created');
    return { id: made.id, project_id: project.id, active: made.active, public_key: made.publicKey };
  }

  private record(
    tx: Tx,
    { id: projectId, fullPath }: KeyProject,
    actor: Actor,
    id: number,
    what: 'created' | 'removed',
  ): Promise<void> {
    return this.audit.record(
      tx,
      actor,
      { type: 'Project', id: projectId, path: fullPath },
      { type: 'ErrorTracking::ClientKey', id, details: `Client key ${id}` },
      {
        customMessage: `Client key of error tracking with id ${id} ${what}`,
        eventName: `error_tracking_client_key_${what}`,
      },
    );
  }
}
