import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { OWNER_TABLES, type RepositoryRef } from '../repository-ref.js';
import { StoragesService } from '../storages.service.js';
import { makeFolder } from '#kernel/disk/durable.js';
import { askStorage } from './storage-answers.js';
import { readStorageFile, writeStorageFile } from './storage-file.js';

/** Number of expected repositories to look for on a storage. */
const LOOKED_AT = 1_000;

const BEGIN = 'insert into repository_storages (name, identity) values ($1, $2) on conflict do nothing';

const LOCK = `select identity, adopted_at is not null as "isAdopted" from repository_storages where name = $1 for update`;

const IS_OF_ANOTHER =
  'select 1 from repository_storages where identity = $1 and name <> $2 and adopted_at is not null';

const ADOPTED = 'update repository_storages set identity = $2, adopted_at = now() where name = $1';

const ON_STORAGE = Object.entries(OWNER_TABLES)
  .map(
    ([type, table]) => `select r.id, r.owner_type as "ownerType", r.owner_id as "ownerId", r.kind
      from repositories r join ${table} o on r.owner_type = '${type}' and o.id = r.owner_id
      where o.repository_storage = $1 and (r.identity is not null or r.pushed_at is not null or r.size_bytes > 0)`,
  )
  .join(' union all ');

const EXPECTED = `select "ownerType", "ownerId", kind from (${ON_STORAGE}) found order by id desc limit ${LOOKED_AT}`;

/** How many of the expected repositories exist on a storage. */
export interface Presence {
  readonly expected: number;
  readonly present: number;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Gives the root of a storage its identity, exactly once despite concurrency and crashes. */
@Injectable()
export class AdoptStorage {
  private readonly logger = new Logger('RepositoryStorages');

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly storages: StoragesService,
  ) {}

  /**
   * Adopts the root of a storage that has no identity in the database, if its expected repositories exist; an
   * empty storage only with `forNew`, because its disk may not be mounted yet. Returns why it cannot be
   * adopted, or null.
   */
  async adopt(storage: string, forNew: boolean): Promise<string | null> {
    const folder = this.storages.folder(storage);
    const { expected, present } = await this.presence(storage);
    if (expected === 0 && !forNew) return null;
    if (present * 2 < expected)
      return `${folder} has ${present} of the ${expected} repositories that should be there`;
    // Committed separately: after a crash, the written file is recognized.
    await this.transactions.run((tx) => tx.query(BEGIN, [storage, randomUUID()]));
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<[{ identity: string; isAdopted: boolean }]>(LOCK, [storage]);
      if (row.isAdopted) return null;
      const found = await askStorage(storage, () => readStorageFile(folder));
      const isKnown =
        found === null ||
        found === row.identity ||
        expected > 0 ||
        (await tx.query<unknown[]>(IS_OF_ANOTHER, [found, storage])).length > 0;
      if (!isKnown) return `${folder} is the root of a storage that the database does not know`;
      await this.take(tx, storage, found ?? row.identity, found === null);
      return null;
    });
  }

  /**
   * Adopts the present root of a storage instead of the recorded one, after an operator has replaced its
   * disk.
   */
  async replace(storage: string): Promise<void> {
    const found = await readStorageFile(this.storages.folder(storage)).catch(() => null);
    await this.transactions.run(async (tx) => {
      await tx.query(BEGIN, [storage, randomUUID()]);
      await tx.query(LOCK, [storage]);
      await this.take(tx, storage, found ?? randomUUID(), found === null);
    });
  }

  /** Looks for the expected repositories of a storage, newest first. */
  async presence(storage: string): Promise<Presence> {
    const refs = await this.database.long<RepositoryRef>(EXPECTED, [storage]);
    let present = 0;
    for (const ref of refs) {
      const config = join(this.storages.path(storage, ref), 'config');
      if (await askStorage(storage, () => isThere(config))) present += 1;
    }
    return { expected: refs.length, present };
  }

  private async take(tx: Tx, storage: string, identity: string, isNew: boolean): Promise<void> {
    const folder = this.storages.folder(storage);
    if (isNew) {
      await makeFolder(folder);
      await writeStorageFile(folder, identity);
    }
    await tx.query(ADOPTED, [storage, identity]);
    this.logger.log(`${folder} is now the root of the storage ${storage}`);
  }
}
