import { Injectable } from '@nestjs/common';
import { HttpError } from '#kernel/http/errors.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { git } from '#core/repositories/git/git.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { MAX_SNIPPET_BYTES } from '#core/snippets/files/snippet-limits.js';
import { SnippetHistoryService } from '#core/snippets/exchange/snippet-history.service.js';
import { integerIn, textIn, timeIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { StepRun } from '../../engine/entity-step.js';
import { SourceRefused } from '../../source/source-errors.js';
import { fetchRefs } from './fetch-repository.js';
import { gitProblem, notSent } from './git-problem.js';
import { isMoving, openDestination } from '../open-destination.js';
import { remoteRefs } from './remote-refs.js';
import { sourcePath } from '../shells/source-path.js';

/** Ref of fetched commits until they are accepted; not a branch, so that it is not mistaken for one. */
const FETCHED = 'refs/imports/head';
const MAX_TITLE = 255;

/**
 * Records of some servers have no ids: then title and time identify the snippet, as those servers do
 * themselves.
 */
const MATCHES = `select s.id, r.source_key = $2 as "isSure" from bulk_import_records r join snippets s on s.id = r.destination_id
  where r.entity_id = $1 and r.relation = 'snippets'
    and (r.source_key = $2 or s.title = $3 and date_trunc('second', s.created_at) = date_trunc('second', $4::timestamptz))
  order by 2 desc limit 2`;

const IS_DONE = `select 1 from bulk_import_records where entity_id = $1 and relation = 'snippets_repository' and source_key = $2`;

const DONE = `insert into bulk_import_records (entity_id, relation, source_key, destination_id)
  values ($1, 'snippets_repository', $2, $3) on conflict do nothing`;

/**
 * Imports the repositories of snippets by git, as v4 servers provide them: their records contain only one
 * file, without history.
 */
@Injectable()
export class SnippetsStep {
  constructor(
    private readonly database: ReadDatabase,
    private readonly pushes: RunningPushesService,
    private readonly history: SnippetHistoryService,
  ) {}

  /** Imports them; idempotent: imported ones are kept. A project with snippets disabled has none. */
  async run(run: StepRun): Promise<void> {
    let isGain = false;
    try {
      for await (const records of run.source.pages(`${sourcePath(run.entity)}/snippets`))
        for (const record of records) {
          run.turn.assertTime(isGain);
          isGain = (await this.bring(run, record)) || isGain;
        }
    } catch (error) {
      if (!(error instanceof SourceRefused) || (error.status !== 403 && error.status !== 404)) throw error;
    }
  }

  /** Returns whether there was anything to do for the snippet. */
  private async bring(run: StepRun, record: SourceRecord): Promise<boolean> {
    const sourceId = integerIn(record, 'id', 1);
    if (sourceId === null) return false;
    const key = String(sourceId);
    if (await this.database.one(IS_DONE, [run.entity.id, key])) return false;
    const title = typeof record['title'] === 'string' ? record['title'].slice(0, MAX_TITLE) : null;
    const matches = await this.database.long<{ id: number; isSure: boolean }>(MATCHES, [
      run.entity.id,
      key,
      textIn({ title }, 'title', MAX_TITLE),
      timeIn(record, 'created_at'),
    ]);
    const [found, other] = matches;
    // A snippet that was created after the export, or is ambiguous, keeps the files of its record.
    if (!found || (other && !found.isSure)) return false;
    const problem = await this.adopt(run, sourceId, found.id, timeIn(record, 'updated_at'));
    await run.commit(async (tx) => {
      if (problem instanceof Error) await run.report(tx, 'loader', problem, title);
      else await problem(tx);
      await tx.query(DONE, [run.entity.id, key, found.id]);
      const counts = problem instanceof Error ? { failed: 1 } : { imported: 1 };
      await run.progress(tx, { source: 1, fetched: 1, ...counts });
    });
    return true;
  }

  /**
   * Returns the rest of the work after adopting the history, or why it cannot be adopted. @throws SourceBusy
   */
  private async adopt(
    run: StepRun,
    sourceId: number,
    snippetId: number,
    updatedAt: string | null,
  ): Promise<Error | Awaited<ReturnType<SnippetHistoryService['adopt']>>> {
    const repository = await openDestination(() => this.history.open(snippetId));
    if (!repository) return new SourceRefused('The snippet has been removed');
    const path = `${run.entity.sourceFullPath}/snippets/${sourceId}`;
    try {
      await this.fetch(run, path, repository);
      await run.assertAllowed();
      return await this.history.adopt(snippetId, repository, FETCHED, updatedAt);
    } catch (error) {
      const problem =
        error instanceof HttpError ? error : await gitProblem(error, () => run.source.gitPauseMs(path));
      const isLasting = problem instanceof HttpError && problem.status !== 503;
      if (isLasting || problem instanceof SourceRefused) return problem;
      if (problem !== null) throw problem;
      return () => Promise.resolve();
    } finally {
      await git(repository.path, ['update-ref', '-d', FETCHED]);
    }
  }

  /** Prevents a storage move of the repository while it runs. */
  private async fetch(run: StepRun, path: string, repository: OpenRepository): Promise<void> {
    const access = await run.source.gitAccess(path);
    const head = (await remoteRefs(access, run.signal))?.head ?? null;
    if (head === null) return;
    const wanted = [`+refs/heads/${head}:${FETCHED}`];
    const limits = { without: [], maxBytes: MAX_SNIPPET_BYTES, signal: run.signal };
    await this.pushes.whileWritable(
      repository,
      () =>
        fetchRefs(repository.path, { access, ...limits }, wanted).catch(async (error: unknown) => {
          throw (await gitProblem(error, () => run.source.gitPauseMs(path))) ?? notSent();
        }),
      () => {
        throw isMoving();
      },
    );
  }
}
