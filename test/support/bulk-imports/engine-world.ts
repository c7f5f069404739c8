import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import type { RelationPart, RelationPipeline } from '#core/exchange/relation-pipeline.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { tokenPurpose } from '#features/bulk-imports/bulk-import.js';
import type { EntityStep } from '#features/bulk-imports/engine/entity-step.js';
import { ImportLimits } from '#features/bulk-imports/engine/import-limits.js';
import { ExportStatusQueries } from '#features/bulk-imports/engine/records/export-status.queries.js';
import { StartImportJob } from '#features/bulk-imports/engine/jobs/start-import.job.js';
import { EntityStepsService } from '#features/bulk-imports/engine/entity-steps.service.js';
import { Sources } from '#features/bulk-imports/source/source-api.js';
import { WatchImportsProcessor } from '#features/bulk-imports/watch/watch-imports.processor.js';
import { startApi, type TestApi } from '../api.js';
import { until } from '../until.js';
import { LabelPipeline } from './label-pipeline.js';
import { MemorySource } from './memory-source.js';

/** A row of a table of the engine. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: number };

/** The engine of the product with a source, steps and pipelines that tests choose. */
export class EngineWorld {
  readonly source = new MemorySource();
  readonly labels = new LabelPipeline();
  pipelines: RelationPipeline[] = [];
  parts: RelationPart[] = [];
  steps: EntityStep[] = [];
  /** Called whenever a run has committed records or the state of their file; an error thrown here ends the run. */
  committed: () => void = () => undefined;
  readonly limits: ImportLimits;
  private groups = 0;

  private constructor(readonly api: TestApi) {
    this.limits = this.get(ImportLimits);
    this.get(Sources).open = () => this.source;
    Object.assign(this.get(EntityStepsService), { special: { all: () => this.steps } });
    Object.assign(this.get(ExchangesRegistry), {
      pipelinesOf: (of: string) => this.pipelines.filter((each) => each.of === of),
      partsOf: () => this.parts,
    });
    // Tests carry out relations themselves, which the watch would take for lost ones.
    this.get(WatchImportsProcessor).process = () => Promise.resolve();
    this.watchCommits();
  }

  static async start(): Promise<EngineWorld> {
    const world = new EngineWorld(await startApi({ LOG_LEVEL: 'fatal' }));
    world.reset();
    return world;
  }

  /** Initial values of settings that tests change. */
  reset(): void {
    Object.assign(this.limits, new ImportLimits(), { firstExportPauseMs: 10 });
    Object.assign(this.labels, { pauseMs: 0, isExtension: false });
    this.pipelines = [this.labels];
    this.parts = [];
    this.steps = [this.shell()];
    this.source.calls.length = 0;
    this.source.files.clear();
    this.source.users.clear();
    this.source.lists.clear();
    this.source.pictures.clear();
    this.source.batched.clear();
    this.source.never.clear();
    this.source.before = () => undefined;
    this.source.status = () => undefined;
    this.committed = () => undefined;
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.api.app.get<T>(type, { strict: false });
  }

  /** A step that creates the group, unless it exists. */
  shell(over: Partial<EntityStep> = {}): EntityStep {
    return {
      of: 'group',
      relation: 'group',
      stage: 0,
      failsEntity: true,
      applies: () => true,
      run: async (run) => {
        const { id } = await this.group();
        await run.commit(async (tx) => {
          await tx.query('update bulk_import_entities set namespace_id = $2 where id = $1', [
            run.entity.id,
            id,
          ]);
        });
      },
      ...over,
    };
  }

  /** Another step. */
  step(relation: string, stage: number, run: EntityStep['run'], over: Partial<EntityStep> = {}): EntityStep {
    return { of: 'group', relation, stage, failsEntity: false, applies: () => true, run, ...over };
  }

  /** A group without content. */
  async group(): Promise<{ readonly id: number; readonly full_path: string }> {
    const path = `group-${++this.groups}`;
    const { body } = await this.api.root.post<{ id: number; full_path: string }>('/groups', {
      name: path,
      path,
    });
    return body;
  }

  /** Stores an import of these groups, and enqueues its job unless `isEnqueued` is false. */
  async import(paths: readonly string[] = ['old'], isEnqueued = true, userId = 1): Promise<number> {
    const jobs = this.get(Jobs);
    return this.get(Transactions).run(async (tx) => {
      const [{ id }] = await tx.query<[{ id: number }]>(
        `insert into bulk_imports (user_id, source_url, source_version) values ($1, $2, '16.5.0') returning id`,
        [userId, this.source.url],
      );
      const sealed = this.get(SecretBox).seal('secret-of-the-source', tokenPurpose(id));
      await tx.query('update bulk_imports set source_token_sealed = $2 where id = $1', [id, sealed]);
      await tx.query(
        `insert into bulk_import_entities (bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace)
         select $1, 'group_entity', path, path, '' from unnest($2::text[]) as path`,
        [id, paths],
      );
      if (isEnqueued) await jobs.enqueue(tx, StartImportJob, { importId: id });
      return id;
    });
  }

  /** A started entity, with its group and the relation `labels`, which no job processes. */
  async relation(): Promise<{
    readonly entityId: number;
    readonly relationId: number;
    readonly groupId: number;
  }> {
    const importId = await this.import(['old'], false);
    const group = await this.group();
    await this.api.sql(`update bulk_imports set status = 'started' where id = $1`, [importId]);
    await this.api.sql(
      `update bulk_import_entities set status = 'started', namespace_id = $2, source_id = 7000 where bulk_import_id = $1`,
      [importId, group.id],
    );
    await this.api.sql(
      `insert into bulk_import_relations (entity_id, relation, stage, status)
       select id, 'labels', 1, 'enqueued' from bulk_import_entities where bulk_import_id = $1`,
      [importId],
    );
    const [entity] = await this.entities(importId);
    const entityId = (entity as Row).id;
    const [relation] = await this.relations(entityId);
    return { entityId, relationId: (relation as Row).id, groupId: group.id };
  }

  /** A run as in a worker, of an unknown job. */
  context(signal = new AbortController().signal): JobContext {
    const nothing = (): Promise<void> => Promise.resolve();
    return {
      jobId: 0,
      attempt: 1,
      correlationId: 'run',
      signal,
      runToken: randomUUID(),
      heartbeat: nothing,
      fence: nothing,
      complete: nothing,
    };
  }

  /** The import once it has ended. */
  async ended(importId: number, withinMs = 20_000): Promise<Row> {
    await until(async () => /finished|failed/.test(String((await this.find(importId))['status'])), withinMs);
    return this.find(importId);
  }

  async find(importId: number): Promise<Row> {
    const [row] = await this.api.sql<Row>('select * from bulk_imports where id = $1', [importId]);
    return row as Row;
  }

  entities(importId: number): Promise<Row[]> {
    return this.api.sql('select * from bulk_import_entities where bulk_import_id = $1 order by id', [
      importId,
    ]);
  }

  relations(entityId: number): Promise<Row[]> {
    return this.api.sql('select * from bulk_import_relations where entity_id = $1 order by stage, id', [
      entityId,
    ]);
  }

  failures(entityId: number): Promise<Row[]> {
    return this.api.sql('select * from bulk_import_failures where entity_id = $1 order by id', [entityId]);
  }

  /** Titles of the labels of a group, sorted. */
  async labelsOf(groupId: number): Promise<string[]> {
    const rows = await this.api.sql<{ title: string }>('select title from labels where group_id = $1', [
      groupId,
    ]);
    return rows.map(({ title }) => title).sort();
  }

  /** Waits until no job of migrations is left. */
  async idle(): Promise<void> {
    const left = `select 1 from background_jobs where name like 'bulk-imports.%' and state <> 'failed' and name not in ('bulk-imports.watch', 'bulk-imports.tidy')`;
    await until(async () => (await this.api.sql(left)).length === 0);
    await sleep(0);
  }

  /** Once the export is ready, a run commits its records. */
  private watchCommits(): void {
    const exports = this.get(ExportStatusQueries);
    const ready = exports.ready.bind(exports);
    exports.ready = async (run, pipeline) => {
      const status = await ready(run, pipeline);
      const commit = run.commit.bind(run);
      run.commit = async (work) => {
        const result = await commit(work);
        this.committed();
        return result;
      };
      return status;
    };
  }

  close(): Promise<void> {
    return this.api.close();
  }
}

/** Lines of a file of labels. */
export const labelLines = (...titles: readonly string[]): string =>
  titles.map((title) => `${JSON.stringify({ title, color: '#112233' })}\n`).join('');
