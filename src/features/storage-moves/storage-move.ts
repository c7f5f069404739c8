import type { OwnerType, RepositoryKind } from '#core/repositories/repository-ref.js';

/** State of a move; `replicated`: the owner has its new storage, and the old copy is to be removed. */
export type MoveState = 'scheduled' | 'started' | 'replicated' | 'finished' | 'failed' | 'cleanup_failed';

/** SQL condition for unfinished moves, as in the indexes. */
export const UNFINISHED = `state in ('scheduled', 'started', 'replicated')`;

/** Returns whether the state is final. */
export const hasEnded = (state: string): boolean =>
  !['scheduled', 'started', 'replicated'].includes(state.replace(' ', '_'));

/** An entry of the journal: a finished step. */
export interface JournalEntry {
  readonly step: string;
  readonly run: string;
  readonly at: string;
  readonly [fact: string]: string | number;
}

/** A move as the engine reads it. */
export interface Move {
  readonly id: number;
  readonly ownerType: OwnerType;
  readonly ownerId: number;
  readonly state: MoveState;
  readonly source: string;
  readonly destination: string;
  readonly digest: string | null;
  readonly journal: readonly JournalEntry[];
}

/** Select list of a `Move`. */
export const MOVE_COLUMNS = `id, owner_type as "ownerType", owner_id as "ownerId", state, source_storage as source,
  destination_storage as destination, digest, journal`;

/** Facts of a type of owner. */
export interface MoveKind {
  /** Key of the owner in records and errors. */
  readonly key: 'project' | 'group' | 'snippet';
  /** Name in "404 ... Not Found". */
  readonly title: string;
  readonly repositories: readonly RepositoryKind[];
  /** SQL condition that excludes owners being removed; `o` is the owner's table. */
  readonly alive: string;
}

/** All types of owners. */
export const MOVE_KINDS: Readonly<Record<OwnerType, MoveKind>> = {
  Project: {
    key: 'project',
    title: 'Project',
    repositories: ['code', 'wiki'],
    alive: 'not o.pending_delete',
  },
  Group: {
    key: 'group',
    title: 'Group',
    repositories: ['wiki'],
    alive: `o.type = 'Group' and not o.pending_delete`,
  },
  Snippet: {
    key: 'snippet',
    title: 'Snippet',
    repositories: ['code'],
    alive: 'not exists (select from projects p where p.id = o.project_id and p.pending_delete)',
  },
};

/** Returns the name of a repository in messages: `project`, `wiki` or `snippet`. */
export const repositoryLabel = (ownerType: OwnerType, kind: RepositoryKind): string =>
  kind === 'wiki' ? 'wiki' : MOVE_KINDS[ownerType].key;
