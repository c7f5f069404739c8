import type { RepositoryRef } from '../repository-ref.js';
import type { BroughtCommits } from './brought-commits.js';
import type { PushPayload } from './push-payload.js';
import type { RefChange } from './ref-change.js';

/** Refs of a repository were changed; listeners run in the transaction that records the push. */
export class RefsPushed {
  constructor(
    readonly repository: RepositoryRef & { readonly id: number },
    /** Null if no known user did it. */
    readonly userId: number | null,
    readonly changes: readonly RefChange[],
    readonly pushOptions: readonly string[],
    /** Payloads of activity events (`planning.md` 1.5); empty except for the code of projects. */
    readonly payloads: readonly PushPayload[],
    readonly brought: BroughtCommits,
  ) {}
}
