import { Injectable } from '@nestjs/common';
import { dirname, join } from 'node:path';
import { flush, forEachOf } from '#kernel/disk/durable.js';
import { logger } from '#kernel/log/logger.js';
import { goOnAlone } from '#kernel/log/request-context.js';
import { RepositoryDamaged } from '../../git/damage/repository-damaged.js';
import { GitFailure } from '../../git/git-failure.js';
import { withQuarantine, type Quarantine } from '../../objects/quarantine.js';
import type { OpenRepository } from '../../repositories.service.js';
import { BroughtCommits } from '../brought-commits.js';
import { READ_ONLY, RefsHaveMoved } from '../push-errors.js';
import { PushRulesRegistry } from '../push-rules.registry.js';
import type { Pusher } from '../pusher.js';
import { PushCompletionService } from '../recovery/push-completion.service.js';
import { branchOf, type RefChange } from '../ref-change.js';
import { RepositoryWritesService } from '../repository-writes.service.js';
import { RunningPushesService } from '../running-pushes.service.js';
import { PreparedRef } from './prepared-ref.js';
import type { SmallPush, SmallPushEnd } from './small-push.js';
import { requireUsable, unpack } from './unpack.js';

/** A push being processed. */
interface Attempt {
  readonly repository: OpenRepository;
  readonly pusher: Pusher;
  readonly push: SmallPush;
  readonly quarantine: Quarantine;
}

/** Registered with an id. */
interface Accepted {
  readonly id: string;
  readonly brought: BroughtCommits;
  /** The update of the ref without a git process, if possible. */
  readonly prepared: PreparedRef | null;
}

interface Refused {
  readonly text: string;
}

type Verdict = Accepted | Refused;

/**
 * Receives small pushes without `git receive-pack`, which runs its steps in sequence and must call back by a
 * hook: objects are checked and flushed while rules judge the push and it is registered.
 */
@Injectable()
export class SmallPushesService {
  constructor(
    private readonly rules: PushRulesRegistry,
    private readonly running: RunningPushesService,
    private readonly writes: RepositoryWritesService,
    private readonly completion: PushCompletionService,
  ) {}

  /**
   * Processes a push with the same rules and effects as any other; null, without any change, if git finds an
   * error in its objects, which `git receive-pack` then reports. `maxBytes`: limit of the pack. @throws 404
   * if the owner no longer exists; 503
   */
  take(
    repository: OpenRepository,
    pusher: Pusher,
    push: SmallPush,
    maxBytes: number,
  ): Promise<SmallPushEnd | null> {
    return withQuarantine(repository.path, async (quarantine) => {
      const attempt = { repository, pusher, push, quarantine };
      const judged = await this.judged(attempt, maxBytes).catch(nullWhereGitFails);
      if (!judged) return null;
      const { said, verdict } = judged;
      if ('text' in verdict) return { said, is: 'refused', text: verdict.text };
      return { said, is: await this.carryOut(attempt, verdict) };
    });
  }

  private async judged(attempt: Attempt, maxBytes: number): Promise<{ said: string; verdict: Verdict }> {
    const { repository, push, quarantine } = attempt;
    const directory = await quarantine.directory();
    const said = await unpack(directory, push, maxBytes);
    const folder = directory.env['GIT_OBJECT_DIRECTORY'] as string;
    const brought = await BroughtCommits.read(folder, [push.change]);
    const usable = requireUsable(directory, folder, push.change, brought);
    const preparing = prepare(repository.path, push.change, brought, folder);
    try {
      const verdict = await this.judge(attempt, brought, usable);
      return { said, verdict: 'text' in verdict ? verdict : { ...verdict, prepared: await preparing } };
    } finally {
      // Wait for all of it: it works in the quarantine.
      await Promise.allSettled([usable, preparing]);
    }
  }

  private async judge(
    { repository, pusher, push: { change, pushOptions }, quarantine: { seen: env } }: Attempt,
    brought: BroughtCommits,
    usable: Promise<void>,
  ): Promise<Omit<Accepted, 'prepared'> | Refused> {
    // It may fail before it is awaited.
    usable.catch(() => undefined);
    const changes = [change];
    const text = await this.rules.judge({ repository, pusher, changes, env, brought });
    if (text !== null) {
      await usable;
      return { text };
    }
    const id = await this.running.begin(repository, pusher.userId, { changes, pushOptions });
    if (id === null) return { text: READ_ONLY };
    try {
      await usable;
      return { id, brought };
    } catch (error) {
      throw await this.writes.giveUp(id, repository, error);
    }
  }

  private async carryOut(
    { repository, push, quarantine }: Attempt,
    { id, brought, prepared }: Accepted,
  ): Promise<'done' | 'late'> {
    const changes = [push.change];
    // An accepted push is completed even if the client disconnects.
    goOnAlone();
    let moved: readonly string[];
    try {
      moved = await quarantine.moveQuickly();
    } catch (error) {
      throw await this.writes.giveUp(id, repository, error);
    }
    try {
      await this.writes.update(id, repository, changes, prepared ? () => prepared.move() : undefined);
    } catch (error) {
      if (error instanceof RefsHaveMoved) return 'late';
      throw error;
    }
    await Promise.all([
      this.completion.finish(id, repository, changes, brought),
      flushNames([...moved, dirname(join(repository.path, push.change.ref))]),
      quarantine.discard(),
    ]);
    return 'done';
  }
}

/** A commit on top of the branch needs no git process to update the ref. */
async function prepare(
  path: string,
  change: RefChange,
  brought: BroughtCommits,
  folder: string,
): Promise<PreparedRef | null> {
  if (branchOf(change) === null || brought.lineOf(change) === null) return null;
  return PreparedRef.write(path, change, folder).catch(() => null);
}

/** The refs have changed and are reported even if flushing fails: the contents are already on disk. */
async function flushNames(folders: readonly string[]): Promise<void> {
  await forEachOf(folders, flush).catch((error: unknown) => {
    logger.error({ error }, 'Names of pushed files may not survive a power failure');
  });
}

function nullWhereGitFails(error: unknown): null {
  if (error instanceof GitFailure || error instanceof RepositoryDamaged) return null;
  throw error;
}
