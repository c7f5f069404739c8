import { Injectable } from '@nestjs/common';
import { Conflict, Unavailable } from '#kernel/http/errors.js';
import { git } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import type { OpenRepository } from '../repositories.service.js';
import { PushCompletion } from './push-completion.js';
import { PushRefused, RepositoryReadOnly } from './push-errors.js';
import { PushRules } from './push-rules.js';
import type { Pusher } from './pusher.js';
import type { RefChange } from './ref-change.js';
import { RunningPushes } from './running-pushes.js';

/** Changes refs in the name of requests, under the same rules and with the same effects as `git push`. */
@Injectable()
export class RepositoryWrites {
  constructor(
    private readonly running: RunningPushes,
    private readonly rules: PushRules,
    private readonly completion: PushCompletion,
  ) {}

  /**
   * Makes the changes that `build` names (it may first write the objects that they need), all or none. `pushOptions` are those of `git push`.
   * @throws 400 while the repository moves and with the text of a rule that refuses; 409 when a ref is not what a change says it was
   */
  async change(
    repository: OpenRepository,
    pusher: Pusher,
    build: () => Promise<readonly RefChange[]>,
    pushOptions: readonly string[] = [],
  ): Promise<readonly RefChange[]> {
    const push = await this.running.begin(repository, pusher.userId);
    if (push === null) throw RepositoryReadOnly();
    let changes: readonly RefChange[];
    try {
      changes = await build();
      const refusal = await this.rules.judge({ repository, pusher, changes, env: {} });
      if (refusal !== null) throw PushRefused(refusal);
      if (!(await this.running.accept(push, changes, pushOptions))) throw RepositoryReadOnly();
    } catch (error) {
      await this.running.cancel(push);
      throw error;
    }
    await this.update(push, repository, changes);
    await this.completion.finish(push, repository, changes);
    return changes;
  }

  private async update(
    push: string,
    repository: OpenRepository,
    changes: readonly RefChange[],
  ): Promise<void> {
    if (changes.length === 0) return;
    const lines = changes.map(({ ref, before, after }) => `update ${ref}\0${after}\0${before}\0`);
    const input = `start\0${lines.join('')}prepare\0commit\0`;
    try {
      await git(repository.path, ['update-ref', '--no-deref', '-z', '--stdin'], { input });
    } catch (error) {
      if (isConflict(error)) {
        await this.running.cancel(push);
        throw Conflict('The repository has changed meanwhile. Please try again.');
      }
      // Killed while it worked, or out of room: some refs may be changed.
      await this.completion.settle(push, repository, changes);
      throw error instanceof GitFailure ? Unavailable(10) : error;
    }
  }
}

/** What git says of a disk that does not take what it writes. */
const DISK =
  /No space left|File too large|Read-only file system|Input\/output error|Permission denied|quota/i;

/** Whether git found refs other than they were said to be, and so has changed none. */
const isConflict = (error: unknown): boolean =>
  error instanceof GitFailure &&
  error.reason === 'exit' &&
  error.exitCode !== null &&
  !DISK.test(error.stderr);
