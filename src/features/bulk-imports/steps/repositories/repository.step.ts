import { Injectable } from '@nestjs/common';
import { Tier } from '#kernel/access/roles.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { FilledRepositoryService } from '#core/repositories/effects/filled-repository.service.js';
import { hasBranch, pointHead } from '#core/repositories/git/branches.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { projectRepository, wikiRepository, type RepositoryRef } from '#core/repositories/repository-ref.js';
import type { StepRun } from '../../engine/entity-step.js';
import { SourceRefused } from '../../source/source-errors.js';
import { DestinationRefused } from '../destination-refused.js';
import { fetchMergeRequestHeads, fetchRepository, type WholeFetch } from './fetch-repository.js';
import { gitProblem, notSent } from './git-problem.js';
import { isMoving, openDestination } from '../open-destination.js';
import { remoteRefs, type GitAccess } from './remote-refs.js';
import { sourcePath } from '../shells/source-path.js';

const MEBIBYTE = 1024 ** 2;
/** Limit of names that are not allowed here: the command line would become too long. */
const MAX_MISLEADING = 500;

/** Limit of reported names that are taken here. */
const MAX_REPORTED = 500;

/** Title of the failure to fetch them. */
const HEADS = 'refs/merge-requests';

const TAKEN = 'A branch or tag with this name is there already, and was not changed';

/** Imports repositories by git: branches, tags, heads of merge requests and everything they reach. */
@Injectable()
export class RepositoryStep {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly pushes: RunningPushesService,
    private readonly filled: FilledRepositoryService,
    private readonly settings: SettingsService,
  ) {}

  /**
   * Imports the code of a project; nothing to do if it has none or it is disabled, which makes it
   * inaccessible.
   */
  async code(run: StepRun): Promise<void> {
    try {
      await this.copy(run, run.entity.sourceFullPath, projectRepository((await run.target()).ownerId));
    } catch (error) {
      if (!isForbidden(error) || !(await isSwitchedOff(run))) throw error;
    }
  }

  /** Imports the wiki of a group or project. A wiki that is disabled, or not in the plan here, is skipped. */
  async wiki(run: StepRun): Promise<void> {
    const { of, ownerId } = await run.target();
    if (of === 'group' && this.settings.tier < Tier.Premium) return;
    const ref = wikiRepository(of === 'group' ? 'Group' : 'Project', ownerId);
    try {
      await this.copy(run, `${run.entity.sourceFullPath}.wiki`, ref);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      // An invalid token is rejected in the same way as a disabled wiki: this call distinguishes them.
      await run.source.get(sourcePath(run.entity));
    }
  }

  private async copy(run: StepRun, path: string, ref: RepositoryRef): Promise<void> {
    const access = await run.source.gitAccess(path);
    const askPause = (): Promise<number> => run.source.gitPauseMs(path);
    const refs = await orNull(remoteRefs(access, run.signal), askPause);
    if (!refs) return;
    if (refs.misleading.length > MAX_MISLEADING)
      throw new SourceRefused(
        'The repository has too many branches and tags with names that are not allowed',
      );
    const repository = await openDestination(() => this.repositories.ensure(ref, refs.head ?? undefined));
    const taken = await orNull(
      this.fetch(run, repository, access, (fetch) =>
        fetchRepository(repository.path, { ...fetch, without: refs.misleading }),
      ),
      askPause,
    );
    if (taken === null) throw notSent();
    const lost = ref.kind === 'code' && (await this.heads(run, repository, access, askPause));
    const { head, misleading } = refs;
    const branch = head !== null && (await hasBranch(repository.path, head)) ? head : null;
    if (branch !== null) await pointHead(repository.path, branch);
    await run.commit(async (tx) => {
      await this.filled.record(tx, repository, branch);
      for (const name of misleading)
        await run.report(tx, 'extractor', new SourceRefused('A branch or tag cannot have this name'), name);
      for (const name of taken.slice(0, MAX_REPORTED))
        await run.report(tx, 'loader', new DestinationRefused(TAKEN), name);
      if (lost) await run.report(tx, 'extractor', lost, HEADS);
      const failed = misleading.length + taken.length + (lost ? 1 : 0);
      await run.progress(tx, { source: 1, fetched: 1, imported: 1, failed });
    });
  }

  /**
   * Imports the heads of merge requests. Without them only the commits of some old ones are missing, so if they are
   * refused, for their size or for what git finds in them, the reason is returned. @throws SourceBusy
   */
  private async heads(
    run: StepRun,
    repository: OpenRepository,
    access: GitAccess,
    askPause: () => Promise<number>,
  ): Promise<SourceRefused | null> {
    try {
      await this.fetch(run, repository, access, (fetch) => fetchMergeRequestHeads(repository.path, fetch));
      return null;
    } catch (error) {
      const problem = (await gitProblem(error, askPause)) ?? notSent();
      run.signal.throwIfAborted();
      if (problem instanceof SourceRefused) return problem;
      throw problem;
    }
  }

  /** Prevents a storage move of the repository while refs are fetched. */
  private fetch<Result>(
    run: StepRun,
    repository: OpenRepository,
    access: GitAccess,
    work: (fetch: WholeFetch) => Promise<Result>,
  ): Promise<Result> {
    const maxBytes = this.settings.values.receive_max_input_size * MEBIBYTE;
    const confirm = (): Promise<void> => run.assertAllowed();
    const fetch = { access, without: [], maxBytes, signal: run.signal, confirm };
    return this.pushes.whileWritable<Result>(
      repository,
      () => work(fetch),
      () => {
        throw isMoving();
      },
    );
  }
}

const isForbidden = (error: unknown): boolean => error instanceof SourceRefused && error.status === 403;

const isSwitchedOff = async ({ source, entity }: StepRun): Promise<boolean> =>
  (await source.get(sourcePath(entity)))['repository_access_level'] === 'disabled';

/** Returns null if the repository does not exist at the source. */
async function orNull<T>(work: Promise<T>, askPause: () => Promise<number>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const problem = await gitProblem(error, askPause);
    if (problem !== null) throw problem;
    return null;
  }
}
