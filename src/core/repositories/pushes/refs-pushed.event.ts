import type { RepositoryRef } from '../repository-ref.js';
import type { BroughtCommits } from './brought-commits.js';
import type { PushPayload } from './push-payload.js';
import type { RefChange } from './ref-change.js';

/** Refs of a repository have been changed; listeners run in the transaction that takes note of it. */
export class RefsPushed {
  constructor(
    readonly repository: RepositoryRef & { readonly id: number },
    /** Null when nobody who is known any more did it. */
    readonly userId: number | null,
    readonly changes: readonly RefChange[],
    readonly pushOptions: readonly string[],
    /** What activity events tell of it (`planning.md` 1.5); for the code of projects only, else empty. */
    readonly payloads: readonly PushPayload[],
    readonly brought: BroughtCommits,
  ) {}
}
