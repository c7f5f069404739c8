import { ImportLimits } from '#features/bulk-imports/engine/import-limits.js';
import { SourceLimits } from '#features/bulk-imports/source/source-limits.js';
import { startApi, type TestApi } from '../api.js';
import { addAda, migrate } from './far-end.js';
import { endedImport, type ImportBody } from './watch-import.js';
import { tallyOf, type Tally } from './tally.js';
import { until } from '../until.js';

/** A failure as the API shows it. */
export interface ShownFailure {
  readonly relation: string;
  readonly step: string;
  readonly exception_class: string;
  readonly exception_message: string;
  readonly source_url: string;
}

interface ShownEntity {
  readonly id: number;
  readonly status: string;
  readonly source_full_path: string;
}

/** The service within the test, with short timeouts: minutes become a second, and large sizes small ones. */
export class HastyEnd {
  private constructor(readonly api: TestApi) {}

  static async start(): Promise<HastyEnd> {
    const end = new HastyEnd(await startApi({ ALLOW_LOCAL_REQUESTS: 'true', LOG_LEVEL: 'fatal' }));
    await end.api.root.put('/application/settings', { bulk_import_rate_limit: 0 });
    await addAda(end.api.root);
    const get = <T>(type: abstract new (...args: never[]) => T): T =>
      end.api.app.get<T>(type, { strict: false });
    const small = { unpackedBytes: 64 * 1024 ** 2, ratioFromBytes: 1024 ** 2, lineBytes: 1024 ** 2 };
    Object.assign(get(ImportLimits), {
      retriesOfKind: 3,
      damagedPauseMs: 200,
      emptyStatusMs: 2_000,
      turnMs: 1_500,
      longestTurnMs: 1_500,
      ...small,
    });
    const quick = { requestMs: 3_000, idleMs: 1_000, retryMs: 600, pages: 50 };
    Object.assign(get(SourceLimits), quick);
    return end;
  }

  /** Migrates the group of a source, and returns the import once it has ended. */
  async migrate(
    url: string,
    token: string,
    amid?: (importId: number) => Promise<void> | void,
  ): Promise<ImportBody> {
    const id = await migrate(this.api.root, url, token);
    await amid?.(id);
    return endedImport(this.api.root, id, 60_000);
  }

  /** Entities of an import by the path that they have at the source. */
  async entities(importId: number): Promise<ReadonlyMap<string, ShownEntity>> {
    const mine = (await this.api.root.get<ShownEntity[]>(`/bulk_imports/entities?per_page=100`)).body;
    const inImport = mine.filter(
      (each) => (each as unknown as { bulk_import_id: number }).bulk_import_id === importId,
    );
    return new Map(inImport.map((entity) => [entity.source_full_path, entity]));
  }

  /** Failures by path. */
  async failures(importId: number): Promise<Record<string, readonly ShownFailure[]>> {
    const found: Record<string, readonly ShownFailure[]> = {};
    for (const [path, { id }] of await this.entities(importId)) {
      const list = `/bulk_imports/${importId}/entities/${id}/failures?per_page=100`;
      const { body } = await this.api.root.get<ShownFailure[]>(list);
      if (body.length > 0) found[path] = body;
    }
    return found;
  }

  /** The distinct failures of all entities, as texts. */
  async reasons(importId: number): Promise<readonly string[]> {
    const texts = Object.values(await this.failures(importId))
      .flat()
      .map((each) => `${each.relation} ${each.exception_class} ${each.exception_message}`);
    return [...new Set(texts)].sort();
  }

  /**
   * Resumes failed and partly failed entities, groups first, and returns the import once it has ended
   * again.
   */
  async resume(importId: number): Promise<ImportBody> {
    for (const path of Object.keys(await this.failures(importId)).sort()) {
      const entity = (await this.entities(importId)).get(path);
      const { status, text } = await this.api.root.post(
        `/bulk_imports/${importId}/entities/${entity?.id}/resume`,
      );
      if (status !== 200 && status !== 201) throw new Error(`${path} was not resumed: ${status} ${text}`);
    }
    return endedImport(this.api.root, importId, 60_000);
  }

  /** Returns everything created by migrations. */
  tally(): Promise<Tally> {
    return tallyOf((text, values) => this.api.sql(text, values));
  }

  /** Removes the imported groups, so that they can be imported again. */
  async clear(): Promise<void> {
    const { status } = await this.api.root.delete('/groups/arrived');
    if (status === 404) return;
    await until(async () => (await this.tally())['groups'] === 0, 20_000);
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
