import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRepository, wikiRepository, type RepositoryRef } from '#core/repositories/repository-ref.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import { startApi, type TestApi } from './api.js';
import { seedRepository, WorkingCopy } from './git.js';
import { watchMoves, type AtStep, type MoveStep } from './move-steps.js';
import { until } from './until.js';

/** A move as its record shows it. */
export interface MoveBody {
  readonly [key: string]: unknown;
  readonly id: number;
  readonly state: string;
  readonly error_message: string | null;
  readonly digest: string | null;
  readonly progress: Readonly<Record<string, number>>;
}

/** The product with two storages, and operations for tests of moves. */
export class StorageWorld {
  private atStep: AtStep = () => undefined;

  private constructor(
    readonly api: TestApi,
    readonly folder: string,
  ) {
    watchMoves(api.app, (...reached) => this.atStep(...reached));
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<StorageWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-storages-'));
    const storages = { REPOSITORY_STORAGES: `default=${folder}/a,second=${folder}/b,same=${folder}/a` };
    const world = new StorageWorld(await startApi({ ...storages, ...env }), folder);
    await world.api.root.put('/application/settings', { repository_storages_weighted: { default: 100 } });
    return world;
  }

  async close(): Promise<void> {
    await this.api.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A project on the default storage. */
  async project(name: string): Promise<number> {
    return (await this.api.root.post<{ id: number }>('/projects', { name })).body.id;
  }

  /** Gives repositories two branches, a tag and a hidden ref. */
  async fill(...refs: RepositoryRef[]): Promise<void> {
    const work = await new WorkingCopy().init();
    try {
      await work.commit({ 'a.txt': 'one\n' });
      await work.git('tag', '--annotate', '--message', 'v1', 'v1');
      await work.git('branch', 'other');
      await work.commit({ 'b.txt': 'two\n'.repeat(10_000) });
      for (const ref of refs) {
        const { path } = await seedRepository(this.api, ref, work);
        await work.git('push', '--quiet', path, 'main:refs/environments/production/deployments/1');
      }
    } finally {
      work.remove();
    }
  }

  /** A project with code and wiki. */
  async filledProject(name: string): Promise<number> {
    const id = await this.project(name);
    await this.fill(projectRepository(id), wikiRepository('Project', id));
    return id;
  }

  /** Runs `work` whenever a move reaches a step. */
  watchSteps(work: AtStep): void {
    this.atStep = work;
  }

  /** Pauses moves after a step until the returned function is called. */
  holdMoves(at: MoveStep = 'started'): () => void {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.watchSteps((step) => (step === at ? released : undefined));
    return release;
  }

  /** The path of a repository on a storage, existing or not. */
  path(storage: string, ref: RepositoryRef): string {
    return this.api.app.get(StoragesService, { strict: false }).path(storage, ref);
  }

  /** Schedules the move of a project. */
  async schedule(projectId: number, destination = 'second'): Promise<MoveBody> {
    const { status, body } = await this.api.root.post<MoveBody>(
      `/projects/${projectId}/repository_storage_moves`,
      { destination_storage_name: destination },
    );
    if (status !== 201) throw new Error(`The move was not scheduled: ${JSON.stringify(body)}`);
    return body;
  }

  async find(id: number): Promise<MoveBody> {
    return (await this.api.root.get<MoveBody>(`/project_repository_storage_moves/${id}`)).body;
  }

  /** Waits until a move has ended, and returns its record. */
  async ended(id: number, withinMs = 30_000): Promise<MoveBody> {
    await until(async () => /finished|failed/.test((await this.find(id)).state), withinMs);
    return this.find(id);
  }

  /** The storage of a project in the database. */
  async placeOf(projectId: number): Promise<{ storage: string; readOnly: boolean }> {
    const [row] = await this.api.sql<{ storage: string; readOnly: boolean }>(
      'select repository_storage as storage, repository_read_only as "readOnly" from projects where id = $1',
      [projectId],
    );
    if (!row) throw new Error(`There is no project ${projectId}`);
    return row;
  }

  /** Names of leftovers of moves on all storages. */
  remains(): string[] {
    return ['a', 'b'].flatMap((name) => {
      const folder = join(this.folder, name, '+moves');
      return existsSync(folder) ? readdirSync(folder) : [];
    });
  }
}
