import { Injectable } from '@nestjs/common';
import { diskRefusal, isDiskRefusal } from '#kernel/disk/disk-refusal.js';
import { notFound, unavailable } from '#kernel/http/errors.js';
import { goOnAlone } from '#kernel/log/request-context.js';
import { git } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import { withQuarantine, type Quarantine } from '../objects/quarantine.js';
import type { OpenRepository } from '../repositories.service.js';
import { BroughtCommits } from './brought-commits.js';
import { PushCompletionService } from './recovery/push-completion.service.js';
import { pushRefused, RefsHaveMoved, repositoryReadOnly } from './push-errors.js';
import { PushRulesRegistry } from './push-rules.registry.js';
import type { Pusher } from './pusher.js';
import type { RefChange } from './ref-change.js';
import { RunningPushesService } from './running-pushes.service.js';
import { Turns } from './turns.js';

/** Names the changes; the objects that they need it writes into the quarantine. */
export type BuildChanges = (quarantine: Quarantine) => Promise<readonly RefChange[]>;

/** How a change is made. */
export interface WriteOptions {
  /** Those of `git push`. */
  readonly pushOptions?: readonly string[];
  /**
   * The ref whose present state the change is built on: who writes to it takes turns with others, and builds anew where somebody was quicker.
   * Without it a change that comes too late is refused.
   */
  readonly builtOn?: string;
}

interface Attempt {
  readonly repository: OpenRepository;
  readonly pusher: Pusher;
  readonly build: BuildChanges;
  readonly quarantine: Quarantine;
  readonly pushOptions: readonly string[];
}

/** Changes refs in the name of requests, under the same rules and with the same effects as `git push`. */
@Injectable()
export class RepositoryWritesService {
  private readonly turns = new Turns();

  constructor(
    private readonly running: RunningPushesService,
    private readonly rules: PushRulesRegistry,
    private readonly completion: PushCompletionService,
  ) {}

  /**
   * Makes the changes that `build` names, all or none; their objects come into the repository when all rules have agreed.
   * @throws 404 once its owner is removed; 400 while the repository moves and with the text of a rule that refuses; 409 when a ref is not what a change says it was, or with
   * `builtOn` 503 when others are always quicker; 503 where the disk takes nothing
   */
  change(
    repository: OpenRepository,
    pusher: Pusher,
    build: BuildChanges,
    { pushOptions = [], builtOn }: WriteOptions = {},
  ): Promise<readonly RefChange[]> {
    const once = (): Promise<readonly RefChange[]> =>
      withQuarantine(repository.path, (quarantine) =>
        this.once({ repository, pusher, build, quarantine, pushOptions }),
      );
    return builtOn === undefined ? once() : this.turns.take(`${repository.id} ${builtOn}`, once);
  }

  private async once({
    repository,
    pusher,
    build,
    quarantine,
    pushOptions,
  }: Attempt): Promise<readonly RefChange[]> {
    const push = await this.running.begin(repository, pusher.userId);
    if (push === null) throw repositoryReadOnly();
    let changes: readonly RefChange[];
    let brought: BroughtCommits;
    try {
      changes = await build(quarantine);
      const env = quarantine.seen;
      brought = await BroughtCommits.read(env['GIT_OBJECT_DIRECTORY'], changes);
      const refusal = await this.rules.judge({ repository, pusher, changes, env, brought });
      if (refusal !== null) throw pushRefused(refusal);
      if (!(await this.running.accept(push, changes, pushOptions))) throw repositoryReadOnly();
      // What has been accepted is carried out, whoever waits for it.
      goOnAlone();
      if (changes.length > 0) await quarantine.moveIn();
    } catch (error) {
      throw await this.giveUp(push, repository, error);
    }
    await this.update(push, repository, changes);
    await this.completion.finish(push, repository, changes, brought);
    return changes;
  }

  /** A push has failed before it has changed anything: it is forgotten. @returns what to throw */
  async giveUp(push: string, repository: OpenRepository, error: unknown): Promise<unknown> {
    await this.running.cancel(push);
    if (isDiskRefusal(error)) return diskRefusal(error);
    // Whatever has failed then has failed because of that.
    return (await this.running.isGone(repository)) ? notFound(repository.ownerType) : error;
  }

  /**
   * Changes the refs of a push that has been accepted and whose objects are there, all or none; `quick` may do it first, and tells whether it has.
   * To be taken note of next. @throws 409 when a ref is not what a change says it was; 503: the push is over then
   */
  async update(
    push: string,
    repository: OpenRepository,
    changes: readonly RefChange[],
    quick: () => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<void> {
    if (changes.length === 0) return;
    const lines = changes.map(({ ref, before, after }) => `update ${ref}\0${after}\0${before}\0`);
    const input = `start\0${lines.join('')}prepare\0commit\0`;
    try {
      if (await quick()) return;
      await git(repository.path, ['update-ref', '--no-deref', '-z', '--stdin'], { input });
    } catch (error) {
      if (isConflict(error)) {
        await this.running.cancel(push);
        throw new RefsHaveMoved();
      }
      // Killed while it worked, or out of room: some refs may be changed.
      await this.completion.settle(push, repository, changes);
      throw isDiskRefusal(error) ? diskRefusal(error) : error instanceof GitFailure ? unavailable(10) : error;
    }
  }
}

/** Whether git found refs other than they were said to be, and so has changed none. */
const isConflict = (error: unknown): boolean =>
  error instanceof GitFailure && error.reason === 'exit' && error.exitCode !== null && !isDiskRefusal(error);
