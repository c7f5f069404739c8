import { Injectable } from '@nestjs/common';

/** Bounds of git over HTTP; how many packs run at a time says `git-kinds.ts`. */
@Injectable()
export class GitLimit {
  /** A client, or a git process, that does nothing for so long is given up. Git itself speaks every 5 s while it works. */
  idleMs = 120_000;
  /** Others who get the same pack, where it cannot be kept on disk, wait for one of them no longer than this. */
  stalledMs = 10_000;
  /** A body of which no byte comes for so long is given up. */
  bodyIdleMs = 10_000;
  /** What a fetch may ask: some 20,000 ids that it has and wants. */
  fetchBytes = 1024 * 1024;
  /** Changes and options that come before the pack of a push, which git holds in memory: some 100,000 refs. */
  commandBytes = 16 * 1024 * 1024;
  /** Time in which git must have finished once its changes were accepted, whether its client is still there or not. */
  finishMs = 120_000;
  /** A snippet's repository, in bytes. */
  snippetBytes = 50 * 1024 * 1024;
}
