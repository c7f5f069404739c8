import { goOnAlone } from '#kernel/log/request-context.js';
import { logger } from '#kernel/log/logger.js';
import { flushLooseObjects } from '#core/repositories/objects/flush-loose.js';
import { BroughtCommits } from '#core/repositories/pushes/brought-commits.js';
import type { PushCompletionService } from '#core/repositories/pushes/recovery/push-completion.service.js';
import { READ_ONLY } from '#core/repositories/pushes/push-errors.js';
import type { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
import type { RefChange } from '#core/repositories/pushes/ref-change.js';
import { withTrueRemovals } from '#core/repositories/pushes/ref-ids.js';
import type { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { TEXTS } from '../access/git-texts.js';
import { GitRefusal } from '../git-answer.js';
import { readProposal } from './proposal.js';
import { wordsAfter } from './push-texts.js';
import type { PushingUser } from './pusher-for.js';

/** Dependencies of a push. */
export interface PushServices {
  readonly running: RunningPushesService;
  readonly rules: PushRulesRegistry;
  readonly completion: PushCompletionService;
}

/** A push from its registration to the recording of its effects. */
export class PushRun {
  private state: 'begun' | 'accepted' | 'finished' = 'begun';
  private accepted: readonly RefChange[] = [];
  private brought = BroughtCommits.none;
  private options: readonly string[] = [];

  constructor(
    private readonly services: PushServices,
    private readonly repository: OpenRepository,
    private readonly user: PushingUser,
    /** Null if the repository is read-only. */
    private readonly id: string | null,
    /** Message for the user of a successful push. */
    private readonly notice: string | null,
  ) {}

  /** Whether git was told to continue: from then on it must not be interrupted. */
  get isAccepted(): boolean {
    return this.state !== 'begun';
  }

  /** Judges what the `pre-receive` hook has reported. */
  readonly onProposed = async (lines: readonly string[]): Promise<string | null> => {
    try {
      return await this.judge(lines);
    } catch (error) {
      if (error instanceof GitRefusal) return error.text;
      logger.error({ error }, 'A push could not be checked');
      return TEXTS.unchecked;
    }
  };

  /**
   * Ends the push after git. `changed`: refs that it has changed according to its report; null if there is
   * none (git was killed, or the client did not want a report): the refs are then read. @returns messages for
   * the user
   */
  async end(changed: ReadonlySet<string> | null): Promise<readonly string[]> {
    const { id, state, accepted, repository, brought } = this;
    const { running, completion } = this.services;
    this.state = 'finished';
    if (id === null || state === 'finished') return [];
    if (state === 'begun') {
      await running.cancel(id);
      return [];
    }
    if (changed === null) {
      await completion.settle(id, repository, accepted);
      return [];
    }
    const done = accepted.filter(({ ref }) => changed.has(ref));
    await completion.finish(id, repository, done, brought);
    return changed.size === 0 ? [] : wordsAfter(repository, this.notice, this.options);
  }

  private async judge(lines: readonly string[]): Promise<string | null> {
    if (this.id === null) return READ_ONLY;
    const { repository, user, services } = this;
    const proposal = readProposal(lines);
    if (!proposal) return TEXTS.unreadable;
    const { options, objects } = proposal;
    const changes = await withTrueRemovals(repository.path, proposal.changes);
    // A push with only removals brings no objects.
    const env: Record<string, string> =
      objects === ''
        ? {}
        : {
            GIT_OBJECT_DIRECTORY: objects,
            GIT_ALTERNATE_OBJECT_DIRECTORIES: `${repository.path}/objects`,
          };
    const brought = await BroughtCommits.read(objects, changes);
    const pusher = await user.now();
    const refusal = await services.rules.judge({ repository, pusher, changes, env, brought });
    if (refusal !== null) return refusal;
    // Removals of missing refs are judged too, because they might appear before git looks, but they change
    // nothing.
    const accepted = changes.filter(({ before, after }) => before !== after);
    const [isKnown] = await Promise.all([
      services.running.accept(this.id, accepted, options),
      objects === '' ? undefined : flushLooseObjects(objects),
    ]);
    if (!isKnown) return READ_ONLY;
    this.accepted = accepted;
    this.brought = brought;
    this.options = options;
    this.state = 'accepted';
    goOnAlone();
    return null;
  }
}
