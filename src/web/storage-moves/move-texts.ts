import type { OwnerType } from '#core/repositories/repository-ref.js';
import type { MoveState } from '#features/storage-moves/storage-move.js';

/** What moves: the repositories of a project (its wiki too), that of a snippet, or the wiki of a group. */
export const MOVE_KINDS = ['project', 'snippet', 'group'] as const;

/** Kind of owner whose repositories move. */
export type MoveKind = (typeof MOVE_KINDS)[number];

/** Owner types as stored in rows. */
export const OWNER_TYPES = {
  project: 'Project',
  snippet: 'Snippet',
  group: 'Group',
} as const satisfies Readonly<Record<MoveKind, OwnerType>>;

/** Labels of the kinds. */
export const KIND_WORDS: Readonly<Record<MoveKind, string>> = {
  project: 'Project',
  snippet: 'Snippet',
  group: 'Group wiki',
};

/** Plural labels, in lower case. */
export const KINDS_WORDS: Readonly<Record<MoveKind, string>> = {
  project: 'projects',
  snippet: 'snippets',
  group: 'group wikis',
};

/** Presentation of a state: its label and color. */
export interface StateWord {
  readonly label: string;
  readonly tone: 'plain' | 'busy' | 'good' | 'bad';
  /** Whether the move is still in progress. */
  readonly isMoving: boolean;
}

const word = (label: string, tone: StateWord['tone'], isMoving = false): StateWord => ({
  label,
  tone,
  isMoving,
});

/** The states of a move, in the order in which it passes through them. */
export const STATE_WORDS = {
  scheduled: word('Waiting', 'plain', true),
  started: word('Copying', 'busy', true),
  replicated: word('Cleaning up', 'busy', true),
  finished: word('Finished', 'good'),
  failed: word('Failed', 'bad'),
  cleanup_failed: word('Moved, but not cleaned up', 'bad'),
} as const satisfies Readonly<Record<MoveState, StateWord>>;

/** All states. */
export const MOVE_STATES = Object.keys(STATE_WORDS) as MoveState[];

const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Formats a number of bytes in steps of 1000: "3.4 MB", "999 bytes". */
export function bytesText(bytes: number): string {
  if (bytes === 1) return '1 byte';
  if (bytes < 1000) return `${bytes} bytes`;
  let value = bytes;
  let unit = -1;
  do {
    value /= 1000;
    unit += 1;
  } while (value >= 999.5 && unit < UNITS.length - 1);
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${UNITS[unit] ?? 'PB'}`;
}

/** A count with its noun: "1 repository", "12,345 repositories". */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The same for repositories. */
export const repositoriesText = (count: number): string => countText(count, 'repository', 'repositories');
