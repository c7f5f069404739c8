import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Gate } from '#kernel/crypto/gate.js';
import { HttpError } from '#kernel/http/errors.js';
import { buildCommit, type TreeChange } from '#core/repositories/git/build-commit.js';
import { Authors } from '#core/repositories/pushes/authors.js';
import { pusherOf } from '#core/repositories/pushes/pusher.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { RepositoryWrites } from '#core/repositories/pushes/repository-writes.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { wikiBranch } from './wiki-branch.js';
import { readBeside, type TreeFile } from './wiki-tree.js';

/** What one commit is to change. */
export interface WikiEdit<Result> {
  readonly changes: readonly TreeChange[];
  readonly message: string;
  readonly result: Result;
}

/** What lies now in the folders of some paths, and above them. */
export type LookInto = (paths: readonly string[]) => Promise<readonly TreeFile[]>;

/** Plans an edit out of the files as they are now; asked again when somebody else was quicker. */
export type PlanEdit<Result> = (
  look: LookInto,
  branch: string,
) => WikiEdit<Result> | Promise<WikiEdit<Result>>;

/** Against pushes and other processes; requests of this one take turns. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 30;
const MAX_PAUSES = 10;
const MAX_WAITING = 100;

/** Commits edits to wikis, one after the other, so that none is lost. */
@Injectable()
export class WikiEdits {
  private readonly turns = new Map<number, { readonly gate: Gate; users: number }>();

  constructor(
    private readonly writes: RepositoryWrites,
    private readonly authors: Authors,
  ) {}

  /**
   * Makes one commit of what `plan` says; `branch` is a full ref name, by default the branch of the pages.
   * @throws 400 while the wiki moves, 409 when it changes faster than this can follow, 503 when too many wait
   */
  async commit<Result>(
    repository: OpenRepository,
    caller: Caller,
    plan: PlanEdit<Result>,
    branch?: string,
  ): Promise<Result> {
    const turn = this.turns.get(repository.id) ?? { gate: new Gate(1, MAX_WAITING), users: 0 };
    this.turns.set(repository.id, turn);
    turn.users += 1;
    try {
      return await turn.gate.run(() => this.tryOften(repository, caller, plan, branch));
    } finally {
      turn.users -= 1;
      if (turn.users === 0) this.turns.delete(repository.id);
    }
  }

  private async tryOften<Result>(
    repository: OpenRepository,
    caller: Caller,
    plan: PlanEdit<Result>,
    branch?: string,
  ): Promise<Result> {
    const deadline = Date.now() + PATIENCE_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(repository, caller, plan, branch);
      } catch (error) {
        if (!(error instanceof HttpError && error.status === 409) || Date.now() > deadline) throw error;
        await sleep(PAUSE_MS * Math.min(attempt, MAX_PAUSES) * (0.5 + Math.random()));
      }
    }
  }

  private async once<Result>(
    repository: OpenRepository,
    caller: Caller,
    plan: PlanEdit<Result>,
    branch?: string,
  ): Promise<Result> {
    const pusher = pusherOf(caller);
    const author = await this.authors.of(pusher.userId);
    let done: WikiEdit<Result> | undefined;
    await this.writes.change(repository, pusher, async () => {
      const { ref, commit } = await wikiBranch(repository.path, branch);
      const look: LookInto = (paths) =>
        commit === null ? Promise.resolve([]) : readBeside(repository.path, commit, paths);
      done = await plan(look, ref.slice('refs/heads/'.length));
      const { changes, message } = done;
      if (changes.length === 0) return [];
      const parents = commit === null ? [] : [commit];
      const after = await buildCommit(repository.path, {
        parents,
        changes,
        message,
        author,
        committer: author,
      });
      return [{ ref, before: commit ?? NO_OBJECT, after }];
    });
    return (done as WikiEdit<Result>).result;
  }
}
