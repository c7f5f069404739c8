import { Injectable } from '@nestjs/common';

/** Bounds of git over HTTP. Each pack costs a process of up to some 300 MB and, while it is made, a core. */
@Injectable()
export class GitLimits {
  /** Packs at a time in this process. */
  packs = 16;
  /** Of them for one repository, so that a popular one leaves room for others. */
  packsPerRepository = 8;
  /** Requests that wait for one of these, and for how long. */
  waiting = 256;
  waitMs = 30_000;
  /** A client, or a git process, that does nothing for so long is given up. Git itself speaks every 5 s while it works. */
  idleMs = 120_000;
  /** What a fetch may ask: some 100,000 ids that it has and wants. */
  fetchBytes = 32 * 1024 * 1024;
  /** Changes and options that come before the pack of a push, which git holds in memory: some 100,000 refs. */
  commandBytes = 16 * 1024 * 1024;
  /** Time in which git must have finished once its changes were accepted, whether its client is still there or not. */
  finishMs = 120_000;
  /** A snippet's repository, in bytes. */
  snippetBytes = 50 * 1024 * 1024;
}
