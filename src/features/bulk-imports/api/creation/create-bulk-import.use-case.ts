import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { SOURCE_TYPES, tokenPurpose } from '../../bulk-import.js';
import { StartImportJob } from '../../engine/jobs/start-import.job.js';
import { BulkImportCreationLimit } from './bulk-import-creation.limit.js';
import type { PlannedEntity } from './planned-entity.js';

/** Facts about the source from its check. */
export interface CheckedSource {
  readonly url: string;
  readonly token: string;
  readonly version: string;
}

const NEXT_ID = `select nextval(pg_get_serial_sequence('bulk_imports', 'id')) as id`;

const INSERT = `insert into bulk_imports (id, user_id, source_url, source_version, source_token_sealed, as_admin)
  values ($1, $2, $3, $4, $5, $6)`;

const INSERT_ENTITIES = `insert into bulk_import_entities (bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace,
    migrate_projects, migrate_memberships)
  select $1, type, path, slug, namespace, projects, members
  from rows from (json_to_recordset($2) as (type text, path text, slug text, namespace text, projects boolean, members boolean))
    with ordinality as given(type, path, slug, namespace, projects, members, position)
  order by position`;

/** Stores migrations, which a worker carries out. */
@Injectable()
export class CreateBulkImport {
  constructor(
    private readonly transactions: Transactions,
    private readonly secrets: SecretBox,
    private readonly jobs: Jobs,
    private readonly limit: BulkImportCreationLimit,
  ) {}

  /**
   * Stores an import with its entities and returns its id. @throws 429 if the user has too many unfinished
   * ones
   */
  run(actor: Actor, source: CheckedSource, entities: readonly PlannedEntity[]): Promise<number> {
    return this.transactions.run(async (tx) => {
      await this.limit.assertRoom(tx, actor.id);
      const id = await this.insert(tx, actor, source);
      await tx.query(INSERT_ENTITIES, [id, JSON.stringify(entities.map(rowOf))]);
      await this.jobs.enqueue(tx, StartImportJob, { importId: id });
      return id;
    });
  }

  private async insert(tx: Tx, actor: Actor, { url, token, version }: CheckedSource): Promise<number> {
    const [{ id }] = await tx.query<[{ id: number }]>(NEXT_ID);
    const sealed = this.secrets.seal(token, tokenPurpose(id));
    await tx.query(INSERT, [id, actor.id, url, version, sealed, actor.admin]);
    return id;
  }
}

const rowOf = (entity: PlannedEntity): Readonly<Record<string, unknown>> => ({
  type: SOURCE_TYPES[entity.of],
  path: entity.sourceFullPath,
  slug: entity.slug,
  namespace: entity.namespace,
  projects: entity.migrateProjects,
  members: entity.migrateMemberships,
});
