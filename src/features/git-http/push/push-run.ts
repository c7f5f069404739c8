import { goOnAlone } from '#kernel/log/request-context.js';
import { logger } from '#kernel/log/logger.js';
import { flushLooseObjects } from '#core/repositories/objects/flush-loose.js';
import { BroughtCommits } from '#core/repositories/pushes/brought-commits.js';
import type { PushCompletionService } from '#core/repositories/pushes/recovery/push-completion.service.js';
import { READ_ONLY } from '#core/repositories/pushes/push-errors.js';
import type { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import type { RefChange } from '#core/repositories/pushes/ref-change.js';
import { withTrueRemovals } from '#core/repositories/pushes/ref-ids.js';
import type { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { TEXTS } from '../access/git-texts.js';
import { readProposal } from './proposal.js';
import { wordsAfter } from './push-words.js';

/** What one push needs of the rest of the service. */
export interface PushServices {
  readonly running: RunningPushesService;
  readonly rules: PushRulesRegistry;
  readonly completion: PushCompletionService;
}

/** One push from its announcement to the note of what it has changed. */
export class PushRun {
  private state: 'begun' | 'accepted' | 'finished' = 'begun';
  private accepted: readonly RefChange[] = [];
  private brought = BroughtCommits.none;
  private options: readonly string[] = [];

  constructor(
    private readonly services: PushServices,
    private readonly repository: OpenRepository,
    private readonly pusher: Pusher,
    /** Null: the repository may not be changed now. */
    private readonly id: string | null,
    /** Line for the user of a push that has gone through. */
    private readonly notice: string | null,
  ) {}

  /** Whether git has been told to go on: then it must not be stopped halfway. */
  get isAccepted(): boolean {
    return this.state !== 'begun';
  }

  /** The verdict on what the `pre-receive` hook has told. */
  readonly onProposed = async (lines: readonly string[]): Promise<string | null> => {
    try {
      return await this.judge(lines);
    } catch (error) {
      logger.error({ error }, 'A push could not be checked');
      return TEXTS.unchecked;
    }
  };

  /**
   * Git has ended. `changed`: refs that it has changed, as it says; null where it did not tell (it was killed, or its client did not want to
   * know): the refs do. @returns lines for the user
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
    const { repository, pusher, services } = this;
    const proposal = readProposal(lines);
    if (!proposal) return TEXTS.unreadable;
    const { options, objects } = proposal;
    const changes = await withTrueRemovals(repository.path, proposal.changes);
    // A push that only removes brings no objects.
    const env: Record<string, string> =
      objects === ''
        ? {}
        : {
            GIT_OBJECT_DIRECTORY: objects,
            GIT_ALTERNATE_OBJECT_DIRECTORIES: `${repository.path}/objects`,
          };
    const brought = await BroughtCommits.read(objects, changes);
    const refusal = await services.rules.judge({ repository, pusher, changes, env, brought });
    if (refusal !== null) return refusal;
    // What is not there has been judged too: it might come before git looks. But nothing of it changes.
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
