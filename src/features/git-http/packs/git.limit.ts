import { Injectable } from '@nestjs/common';

/** Limits of git over HTTP; those of concurrent packs are in `git-kinds.ts`. */
@Injectable()
export class GitLimit {
  /**
   * Time after which an inactive client or git process is aborted. Git sends something every 5 s while it
   * works.
   */
  idleMs = 120_000;
  /** Time that others with the same pack wait for one of them, if the pack cannot be stored on disk. */
  stalledMs = 10_000;
  /** Time after which the rights of a pusher are read again, once the body of the push has arrived. */
  freshMs = 2_000;
  /** Time after which a body without any bytes is aborted. */
  bodyIdleMs = 10_000;
  /** Limit of a fetch request: about 20,000 ids. */
  fetchBytes = 1024 * 1024;
  /**
   * Limit of commands and options before the pack of a push, which git holds in memory: about 100,000 refs.
   */
  commandBytes = 16 * 1024 * 1024;
  /** Time in which git must finish after its changes were accepted, even if the client has left. */
  finishMs = 120_000;
  /** Limit of bytes of a snippet's repository. */
  snippetBytes = 50 * 1024 * 1024;
}
