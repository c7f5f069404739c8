import type { RepositoryKind } from '#core/repositories/repository-ref.js';

/** A repository being copied, with the folders of its move. */
export interface OpenCopy {
  readonly kind: RepositoryKind;
  /** In messages: `project`, `wiki` or `snippet`. */
  readonly label: string;
  /** Identity in its own file; null if it was created before identities were recorded. */
  readonly identity: string | null;
  readonly source: string;
  /** In the folder of the run. */
  readonly staged: string;
  /** Its final path on the destination. */
  readonly target: string;
  /** Digest of all refs and HEAD of the source, from before the copy. */
  readonly digest: string;
}
