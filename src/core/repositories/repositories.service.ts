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

/** A repository that exists, as of now. */
export interface OpenRepository extends RepositoryRef {
  readonly id: number;
  readonly storage: string;
  /** Absolute folder of the bare repository. */
  readonly path: string;
  /** While it moves to another storage: read it, do not change it. */
  readonly readOnly: boolean;
  readonly sizeBytes: number;
}

/** What the row of an owner says of its repositories. */
interface OwnerPlace {
  readonly storage: string;
  readonly readOnly: boolean;
}

/** What the database says of the repository of an owner; the id is null where there is none. */
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

/** The row says that the repository exists: its folder is whole and durable by then. */
const REGISTER = `insert into repositories (owner_type, owner_id, kind, identity) values ($1, $2, $3, $4)
  on conflict (owner_type, owner_id, kind) do update set identity = excluded.identity`;

/** A group has nowhere to lie until its wiki appears; one that was moved before lies where it was moved to. */
const PLACE = `update namespaces set repository_storage = $2 where id = $1 and repository_storage = 'default'`;

/** Whoever moves an owner just while its repository is made makes us begin again. */
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

  /** The repository, or null where nothing has been pushed or written yet. One short statement. @throws 503 where it is known, but not there */
  async openOrNull(ref: RepositoryRef): Promise<OpenRepository | null> {
    const row = await this.database.one<RepositoryRow>(found(ref.ownerType), [ref.ownerId, ref.kind]);
    return row ? this.opened(ref, row) : null;
  }

  /** The repository. @throws 404 `kind` (by default "Repository") where there is none */
  async open(ref: RepositoryRef, kind = 'Repository'): Promise<OpenRepository> {
    const repository = await this.openOrNull(ref);
    if (!repository) throw notFound(kind);
    return repository;
  }

  /** Where the owner's repositories lie and whether they may be changed now; null when there is no such owner. `tx` holds the owner's row from here on. */
  async lockOwner(
    tx: Tx,
    type: OwnerType,
    id: number,
    mode: 'share' | 'no key update',
  ): Promise<OwnerPlace | null> {
    const rows = await tx.query<OwnerPlace[]>(
      `select repository_storage as storage, repository_read_only as "readOnly" from ${OWNER_TABLES[type]}
       where id = $1 for ${mode}`,
      [id],
    );
    return rows[0] ?? null;
  }

  /**
   * The repository, created empty when there is none: on the storage of its owner, with the given branch as the one that HEAD
   * names (default: the setting). One that is known is never created again. @throws 400 while the owner moves and there is none; 404 when the
   * owner is gone; 503 where the repository or its storage is not there
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

  /** Null when the owner lies elsewhere by now. */
  private async create(
    tx: Tx,
    ref: RepositoryRef,
    storage: string,
    branch: string,
  ): Promise<OpenRepository | null> {
    const { ownerType, ownerId, kind } = ref;
    // Whoever moves the owner takes the row too: a repository cannot appear behind its back.
    const owner = await this.lockOwner(tx, ownerType, ownerId, 'no key update');
    if (!owner) throw notFound(ownerType);
    if (ownerType === 'Group' && !owner.readOnly) await tx.query(PLACE, [ownerId, storage]);
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
      this.logger.error(`${path} cannot be made: ${String(error)}`);
      throw new RepositoryUnavailable();
    }
    // A disk that went away meanwhile hides what has just been made.
    await this.roots.require(storage, true);
  }

  /** The repository that a row of the database means; null where there is none. @throws 503 where it is known, but not there */
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
