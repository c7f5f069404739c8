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

/** Returns the ref changes; writes their objects into the quarantine. */
export type BuildChanges = (quarantine: Quarantine) => Promise<readonly RefChange[]>;

/** Options of a change. */
export interface WriteOptions {
  /** Options of `git push`. */
  readonly pushOptions?: readonly string[];
  /**
   * The ref whose current value the change is based on: writers to it are serialized, and rebuild the change
   * if the ref has moved. Without it, an outdated change is rejected.
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

/** Changes refs by request, with the same rules and effects as `git push`. */
@Injectable()
export class RepositoryWritesService {
  private readonly turns = new Turns();

  constructor(
    private readonly running: RunningPushesService,
    private readonly rules: PushRulesRegistry,
    private readonly completion: PushCompletionService,
  ) {}

  /**
   * Makes the changes that `build` returns, all or none; their objects enter the repository once all rules
   * have accepted them.
   * @throws 404 once its owner is removed; 400 while the repository moves, or with the text of the rule that
   * rejects; 409 if a ref does not have the expected value, or with `builtOn` 503 if others are always
   * faster; 503 if the disk refuses writes
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
      // An accepted change is completed even if the client disconnects.
      goOnAlone();
      if (changes.length > 0) await quarantine.moveIn();
    } catch (error) {
      throw await this.giveUp(push, repository, error);
    }
    await this.update(push, repository, changes);
    await this.completion.finish(push, repository, changes, brought);
    return changes;
  }

  /** Discards a push that failed before any change. @returns the error to throw */
  async giveUp(push: string, repository: OpenRepository, error: unknown): Promise<unknown> {
    await this.running.cancel(push);
    if (isDiskRefusal(error)) return diskRefusal(error);
    // If the owner was removed, every failure follows from that.
    return (await this.running.isGone(repository)) ? notFound(repository.ownerType) : error;
  }

  /**
   * Updates the refs of an accepted push whose objects are in place, all or none; `quick` may do it first,
   * and returns whether it did. The caller must then record the push. @throws 409 if a ref does not have the
   * expected value; 503; the push has then ended
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
      // Git was killed or ran out of space: some refs may have changed.
      await this.completion.settle(push, repository, changes);
      throw isDiskRefusal(error) ? diskRefusal(error) : error instanceof GitFailure ? unavailable(10) : error;
    }
  }
}

/** Returns whether git found other values than expected, and so changed nothing. */
const isConflict = (error: unknown): boolean =>
  error instanceof GitFailure && error.reason === 'exit' && error.exitCode !== null && !isDiskRefusal(error);
