import { Injectable, Logger } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { RunRelationJob } from '../engine/jobs/run-relation.job.js';
import { StartEntityJob } from '../engine/jobs/start-entity.job.js';
import { StartImportJob } from '../engine/jobs/start-import.job.js';

const hasJob = (name: string, key: string, id: string): string => `exists (select from background_jobs j
  where j.name = '${name}' and j.state <> 'failed' and j.payload @> jsonb_build_object('${key}', ${id}))`;

const RELATIONS = `select r.id from bulk_import_entities e join bulk_import_relations r on r.entity_id = e.id
  where e.status = 'started' and r.status in ('enqueued', 'started') and not ${hasJob(RunRelationJob.name, 'relationId', 'r.id')}
  order by r.id limit 100`;

/** Started entities that have not ended and have nothing running. */
const ENTITIES = `select e.id from bulk_import_entities e
  where e.status = 'started' and not ${hasJob(StartEntityJob.name, 'entityId', 'e.id')}
    and not exists (select from bulk_import_relations r where r.entity_id = e.id and r.status in ('enqueued', 'started'))
  order by e.id limit 100`;

const IMPORTS = `select i.id from bulk_imports i
  where i.status in ('created', 'started') and not ${hasJob(StartImportJob.name, 'importId', 'i.id')}
    and not exists (select from bulk_import_entities e where e.bulk_import_id = i.id and e.status = 'started')
  order by i.id limit 100`;

/** Finds unfinished migrations without a job, such as after an error that could not be recorded. */
@Injectable()
export class LostWorkService {
  private readonly logger = new Logger('BulkImports');

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /** Enqueues missing jobs; a redundant job has nothing to do. */
  async takeUp(): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const relationId of await this.find(tx, RELATIONS, 'relation'))
        await this.jobs.enqueue(tx, RunRelationJob, { relationId });
      for (const entityId of await this.find(tx, ENTITIES, 'entity'))
        await this.jobs.enqueue(tx, StartEntityJob, { entityId, busy: 0 });
      for (const importId of await this.find(tx, IMPORTS, 'import'))
        await this.jobs.enqueue(tx, StartImportJob, { importId });
    });
  }

  private async find(tx: Tx, sql: string, what: string): Promise<readonly number[]> {
    const ids = (await tx.query<{ id: number }[]>(sql)).map(({ id }) => id);
    if (ids.length > 0) this.logger.warn(`No worker runs ${what} ${ids.join(', ')}: resuming`);
    return ids;
  }
}
