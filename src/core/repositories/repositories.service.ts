import { Injectable } from '@nestjs/common';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { NotFound, Unavailable } from '#kernel/http/errors.js';
import { Settings } from '#core/instance/settings.service.js';
import { StorageChoice } from '#core/projects/storage-choice.js';
import { git } from './git/git.js';
import { isValidRefName } from './ref-name.js';
import { OWNER_TABLES, type OwnerType, type RepositoryRef } from './repository-ref.js';
import { Storages } from './storages.js';

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

interface Row {
  readonly id: number | null;
  readonly size_bytes: number | null;
  readonly storage: string;
  readonly read_only: boolean;
}

const found = (type: OwnerType): string => `select r.id, r.size_bytes, o.repository_storage as storage,
    o.repository_read_only as read_only
  from ${OWNER_TABLES[type]} o
  left join repositories r on r.owner_type = '${type}' and r.owner_id = o.id and r.kind = $2
  where o.id = $1`;

const INSERT = `insert into repositories (owner_type, owner_id, kind) values ($1, $2, $3)
  on conflict do nothing returning id`;

/** A group has nowhere to lie until its wiki appears; one that was moved before lies where it was moved to. */
const PLACE = `update namespaces set repository_storage = $2 where id = $1 and repository_storage = 'default'`;

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );

/** Opens repositories, and creates them on demand. */
@Injectable()
export class Repositories {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly storages: Storages,
    private readonly settings: Settings,
    private readonly choice: StorageChoice,
  ) {}

  /** The repository, or null where nothing has been pushed or written yet. One short statement. */
  async openOrNull(ref: RepositoryRef): Promise<OpenRepository | null> {
    const row = await this.database.one<Row>(found(ref.ownerType), [ref.ownerId, ref.kind]);
    return row?.id ? this.opened(ref, { ...row, id: row.id }) : null;
  }

  /** The repository. @throws 404 `kind` (by default "Repository") where there is none */
  async open(ref: RepositoryRef, kind = 'Repository'): Promise<OpenRepository> {
    const repository = await this.openOrNull(ref);
    if (!repository) throw NotFound(kind);
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
   * names (default: the setting). @throws 404 when the owner is gone; 503 while the disk is not there on which it lies
   */
  async ensure(
    ref: RepositoryRef,
    branch = this.settings.values.default_branch_name,
  ): Promise<OpenRepository> {
    const known = await this.openOrNull(ref);
    if (known && (known.readOnly || (await isFolder(known.path)))) return known;
    // What is pushed to an empty one would be hidden as soon as the disk is back.
    if (known && known.sizeBytes > 0 && (await this.storages.isEmpty(known.storage))) throw Unavailable(60);
    return this.transactions.run(async (tx) => {
      // Whoever moves the owner takes the row too: a repository cannot appear behind its back.
      const owner = await this.lockOwner(tx, ref.ownerType, ref.ownerId, 'no key update');
      if (!owner) throw NotFound(ref.ownerType);
      const { readOnly } = owner;
      const added = await tx.query<unknown[]>(INSERT, [ref.ownerType, ref.ownerId, ref.kind]);
      if (added.length > 0 && !readOnly && ref.ownerType === 'Group')
        await tx.query(PLACE, [ref.ownerId, this.choice.choose()]);
      const [row] = await tx.query<[Row & { id: number }]>(found(ref.ownerType), [ref.ownerId, ref.kind]);
      const repository = this.opened(ref, row);
      if (!readOnly) await initialize(repository.path, isValidRefName(branch) ? branch : 'main');
      return repository;
    });
  }

  private opened(ref: RepositoryRef, row: Row & { readonly id: number }): OpenRepository {
    const { ownerType, ownerId, kind } = ref;
    return {
      ownerType,
      ownerId,
      kind,
      id: row.id,
      storage: row.storage,
      path: this.storages.path(row.storage, ref),
      readOnly: row.read_only,
      sizeBytes: row.size_bytes ?? 0,
    };
  }
}

/** Makes an empty bare repository whole before it gets its name; one that is there is left as it is. */
async function initialize(path: string, branch: string): Promise<void> {
  if (await isFolder(path)) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    await git(null, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`, '--', fresh]);
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!(await isFolder(path))) throw error;
  }
}
