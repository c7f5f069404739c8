import { goOnAlone } from '#kernel/log/request-context.js';
import { logger } from '#kernel/log/logger.js';
import { unknownPushOptions } from '#core/ci/pushes/push-options.js';
import type { PushCompletion } from '#core/repositories/pushes/push-completion.js';
import { READ_ONLY } from '#core/repositories/pushes/push-errors.js';
import type { PushRules } from '#core/repositories/pushes/push-rules.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import type { RefChange } from '#core/repositories/pushes/ref-change.js';
import { withTrueRemovals } from '#core/repositories/pushes/ref-ids.js';
import type { RunningPushes } from '#core/repositories/pushes/running-pushes.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { TEXTS } from '../access/git-texts.js';
import type { HookQuestions } from './hook-channel.js';
import { readProposal } from './proposal.js';

/** What one push needs of the rest of the service. */
export interface PushServices {
  readonly running: RunningPushes;
  readonly rules: PushRules;
  readonly completion: PushCompletion;
}

/** Names of options that are told, and characters of each. */
const MOST_WORDS = 10;
const LONGEST_NAME = 100;

/** One push from its announcement to the note of what it has changed. */
export class PushRun implements HookQuestions {
  private state: 'begun' | 'accepted' | 'finished' = 'begun';
  private accepted: readonly RefChange[] = [];
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

  readonly onProposed = async (lines: readonly string[]): Promise<string | null> => {
    try {
      return await this.judge(lines);
    } catch (error) {
      logger.error({ error }, 'A push could not be checked');
      return TEXTS.unchecked;
    }
  };

  readonly onChanged = async (lines: readonly string[]): Promise<readonly string[]> => {
    const proposal = readProposal(lines);
    if (this.id !== null && proposal) {
      const done = new Set(proposal.changes.map(({ ref }) => ref));
      const changes = this.accepted.filter(({ ref }) => done.has(ref));
      await this.services.completion.finish(this.id, this.repository, changes);
      this.state = 'finished';
    }
    return [...(this.notice === null ? [] : [this.notice]), ...this.wordsOnOptions()];
  };

  /** Git has ended. Where it did not tell what it has changed (it was killed, or its hook was) the refs do. */
  async end(): Promise<void> {
    const { running, completion } = this.services;
    if (this.id === null || this.state === 'finished') return;
    if (this.state === 'accepted') await completion.settle(this.id, this.repository, this.accepted);
    else await running.cancel(this.id);
  }

  /** Options that do nothing here are told, or their users would wait for what they asked for. Only pipelines have any. */
  private wordsOnOptions(): string[] {
    const isCode = this.repository.ownerType === 'Project' && this.repository.kind === 'code';
    const unknown = isCode ? unknownPushOptions(this.options) : this.options;
    const names = [
      ...new Set(unknown.map((option) => option.split('=', 1)[0]?.slice(0, LONGEST_NAME) ?? '')),
    ];
    return names.slice(0, MOST_WORDS).map((name) => TEXTS.optionIgnored(name));
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
    const refusal = await services.rules.judge({ repository, pusher, changes, env });
    if (refusal !== null) return refusal;
    // What is not there has been judged too: it might come before git looks. But nothing of it changes.
    const accepted = changes.filter(({ before, after }) => before !== after);
    if (!(await services.running.accept(this.id, accepted, options))) return READ_ONLY;
    this.accepted = accepted;
    this.options = options;
    this.state = 'accepted';
    goOnAlone();
    return null;
  }
}
