import type { RepositoryKind } from '#core/repositories/repository-ref.js';

/** A repository that is copied, and the folders of its move. */
export interface OpenCopy {
  readonly kind: RepositoryKind;
  /** In messages: `project`, `wiki` or `snippet`. */
  readonly label: string;
  /** Whose it is, in its own file; null for one that is older than identities. */
  readonly identity: string | null;
  readonly source: string;
  /** In the folder of the run. */
  readonly staged: string;
  /** Its place on the destination. */
  readonly place: string;
  /** Digest of all refs and HEAD of the source, from before it was copied. */
  readonly digest: string;
}
