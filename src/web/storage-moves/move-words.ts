import type { OwnerType } from '#core/repositories/repository-ref.js';
import type { MoveState } from '#features/storage-moves/storage-move.js';

/** What moves: the repositories of a project (its wiki too), the one of a snippet, or the wiki of a group. */
export const MOVE_KINDS = ['project', 'snippet', 'group'] as const;

/** Kind of owner whose repositories move. */
export type MoveKind = (typeof MOVE_KINDS)[number];

/** What rows call their owners. */
export const OWNER_TYPES = {
  project: 'Project',
  snippet: 'Snippet',
  group: 'Group',
} as const satisfies Readonly<Record<MoveKind, OwnerType>>;

/** What people call them. */
export const KIND_WORDS: Readonly<Record<MoveKind, string>> = {
  project: 'Project',
  snippet: 'Snippet',
  group: 'Group wiki',
};

/** The same in the plural, beginning small. */
export const KINDS_WORDS: Readonly<Record<MoveKind, string>> = {
  project: 'projects',
  snippet: 'snippets',
  group: 'group wikis',
};

/** How a state looks: a word, and the tone that underlines it. */
export interface StateWord {
  readonly label: string;
  readonly tone: 'plain' | 'busy' | 'good' | 'bad';
  /** Whether something still happens by itself. */
  readonly isMoving: boolean;
}

const word = (label: string, tone: StateWord['tone'], isMoving = false): StateWord => ({
  label,
  tone,
  isMoving,
});

/** The states of a move, in the order in which it takes them. */
export const STATE_WORDS = {
  scheduled: word('Waiting', 'plain', true),
  started: word('Copying', 'busy', true),
  replicated: word('Cleaning up', 'busy', true),
  finished: word('Finished', 'good'),
  failed: word('Failed', 'bad'),
  cleanup_failed: word('Moved, but not cleaned up', 'bad'),
} as const satisfies Readonly<Record<MoveState, StateWord>>;

/** All of them. */
export const MOVE_STATES = Object.keys(STATE_WORDS) as MoveState[];

const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** An amount of bytes for people, in steps of 1000: "3.4 MB", "999 bytes". */
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

/** A number with its noun: "1 repository", "12,345 repositories". */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The same for repositories. */
export const repositoriesText = (count: number): string => countText(count, 'repository', 'repositories');
