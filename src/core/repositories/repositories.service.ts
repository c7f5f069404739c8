import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { StorageChoiceService } from '#core/projects/writes/storage-choice.service.js';
import { repositoryReadOnly } from './pushes/push-errors.js';
import { isValidRefName } from './ref-name.js';
import { OWNER_TABLES, type OwnerType, type RepositoryRef } from './repository-ref.js';
import { createRepository } from './storages/create-repository.js';
import { RepositoryPresenceService } from './storages/repository-presence.service.js';
import { RepositoryUnavailable } from './storages/repository-unavailable.js';
import { StorageRootsService } from './storages/storage-roots.service.js';
import { StoragesService } from './storages.service.js';

/** An existing repository at this moment. */
export interface OpenRepository extends RepositoryRef {
  readonly id: number;
  readonly storage: string;
  /** Absolute path of the bare repository. */
  readonly path: string;
  /** True while it moves to another storage: it may be read, but not changed. */
  readonly readOnly: boolean;
  readonly sizeBytes: number;
}

/** The columns of an owner about its repositories. */
interface OwnerStorage {
  readonly storage: string;
  readonly readOnly: boolean;
}

/** The database's facts of a repository; the id is null if it does not exist. */
export interface RepositoryRow {
  readonly id: number | null;
  readonly size_bytes: number | null;
  readonly identity: string | null;
  readonly is_pushed: boolean;
  readonly storage: string;
  readonly read_only: boolean;
}

const found = (
  type: OwnerType,
): string => `select r.id, r.size_bytes, r.identity, r.pushed_at is not null as is_pushed,
    o.repository_storage as storage, o.repository_read_only as read_only
  from ${OWNER_TABLES[type]} o
  left join repositories r on r.owner_type = '${type}' and r.owner_id = o.id and r.kind = $2
  where o.id = $1`;

/** A row means that the repository exists: its folder is complete and durable before the row is inserted. */
const REGISTER = `insert into repositories (owner_type, owner_id, kind, identity) values ($1, $2, $3, $4)
  on conflict (owner_type, owner_id, kind) do update set identity = excluded.identity`;

/** A group gets a storage with its first wiki; one that was moved before stays where it was moved to. */
const SET_STORAGE = `update namespaces set repository_storage = $2 where id = $1 and repository_storage = 'default'`;

/** Retries when the owner is moved while its repository is being created. */
const ATTEMPTS = 3;

/** Opens repositories, and creates them on demand. */
@Injectable()
export class RepositoriesService {
  private readonly logger = new Logger('RepositoryStorages');

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly storages: StoragesService,
    private readonly roots: StorageRootsService,
    private readonly presence: RepositoryPresenceService,
    private readonly settings: SettingsService,
    private readonly choice: StorageChoiceService,
  ) {}

  /**
   * Opens a repository with one short statement; null if nothing was pushed or written yet. @throws 503 if it
   * is known but missing on disk
   */
  async openOrNull(ref: RepositoryRef): Promise<OpenRepository | null> {
    const row = await this.database.one<RepositoryRow>(found(ref.ownerType), [ref.ownerId, ref.kind]);
    return row ? this.opened(ref, row) : null;
  }

  /** Opens a repository. @throws 404 `kind` (by default "Repository") if it does not exist */
  async open(ref: RepositoryRef, kind = 'Repository'): Promise<OpenRepository> {
    const repository = await this.openOrNull(ref);
    if (!repository) throw notFound(kind);
    return repository;
  }

  /**
   * Locks the owner's row in `tx`, and returns the storage of its repositories and whether they are writable;
   * null if the owner does not exist.
   */
  async lockOwner(
    tx: Tx,
    type: OwnerType,
    id: number,
    mode: 'share' | 'no key update',
  ): Promise<OwnerStorage | null> {
    const rows = await tx.query<OwnerStorage[]>(
      `select repository_storage as storage, repository_read_only as "readOnly" from ${OWNER_TABLES[type]}
       where id = $1 for ${mode}`,
      [id],
    );
    return rows[0] ?? null;
  }

  /**
   * Opens a repository, or creates an empty one on the storage of its owner; HEAD names the given branch
   * (default: the setting). A known repository is never created again. @throws 400 if it must be created
   * while its owner moves; 404 if the owner no longer exists; 503 if the repository or its storage is missing
   */
  async ensure(
    ref: RepositoryRef,
    branch = this.settings.values.default_branch_name,
  ): Promise<OpenRepository> {
    for (let attempt = 1; ; attempt += 1) {
      const row = await this.database.one<RepositoryRow>(found(ref.ownerType), [ref.ownerId, ref.kind]);
      if (!row) throw notFound(ref.ownerType);
      const known = await this.opened(ref, row);
      if (known) return known;
      if (row.read_only) throw repositoryReadOnly();
      const isUnplaced = ref.ownerType === 'Group' && row.storage === 'default' && row.id === null;
      const storage = isUnplaced ? this.choice.choose() : row.storage;
      await this.roots.requireForNew(storage);
      const made = await this.transactions.run((tx) =>
        this.create(tx, ref, storage, isValidRefName(branch) ? branch : 'main'),
      );
      if (made) return made;
      if (attempt === ATTEMPTS) throw new RepositoryUnavailable();
    }
  }

  /** Creates the repository; null if the owner was moved to another storage in the meantime. */
  private async create(
    tx: Tx,
    ref: RepositoryRef,
    storage: string,
    branch: string,
  ): Promise<OpenRepository | null> {
    const { ownerType, ownerId, kind } = ref;
    // A move locks this row too, so that no repository appears unnoticed during the move.
    const owner = await this.lockOwner(tx, ownerType, ownerId, 'no key update');
    if (!owner) throw notFound(ownerType);
    if (ownerType === 'Group' && !owner.readOnly) await tx.query(SET_STORAGE, [ownerId, storage]);
    const [row] = await tx.query<[RepositoryRow]>(found(ownerType), [ownerId, kind]);
    if (row.storage !== storage) return null;
    const known = await this.opened(ref, row);
    if (known) return known;
    if (owner.readOnly) throw repositoryReadOnly();
    const identity = randomUUID();
    await this.make(ref, { storage, identity, branch });
    await tx.query(REGISTER, [ownerType, ownerId, kind, identity]);
    const [made] = await tx.query<[RepositoryRow]>(found(ownerType), [ownerId, kind]);
    return this.opened(ref, made);
  }

  private async make(
    ref: RepositoryRef,
    { storage, identity, branch }: { storage: string; identity: string; branch: string },
  ): Promise<void> {
    const [folder, path] = [this.storages.folder(storage), this.storages.path(storage, ref)];
    try {
      await createRepository({ folder, path, identity, branch, owner: ref });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      this.logger.error(`${path} cannot be created: ${String(error)}`);
      throw new RepositoryUnavailable();
    }
    // If the disk was unmounted in the meantime, the new folder would be hidden.
    await this.roots.require(storage, true);
  }

  /**
   * Opens the repository of a database row; null if there is none. @throws 503 if it is known but missing on
   * disk
   */
  async opened(ref: RepositoryRef, row: RepositoryRow): Promise<OpenRepository | null> {
    if (row.id === null) return null;
    const { ownerType, ownerId, kind } = ref;
    const sizeBytes = row.size_bytes ?? 0;
    const { storage, identity } = row;
    const isWritten = row.is_pushed || sizeBytes > 0;
    const path = await this.presence.find({ ownerType, ownerId, kind, storage, identity, isWritten });
    return path === null
      ? null
      : { ownerType, ownerId, kind, id: row.id, storage, path, readOnly: row.read_only, sizeBytes };
  }
}
