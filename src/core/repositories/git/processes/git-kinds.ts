import type { PoolLimits } from '#kernel/processes/fair-pool.js';
import type { ProcessLimits } from '#kernel/processes/process-limits.js';

/** Kinds of git calls, each with its own slots. */
export type GitKind = 'read' | 'walk' | 'stream' | 'pack' | 'write' | 'background' | 'long';

/** Limits of a kind: concurrent processes of this machine, and resources of each. */
interface KindLimits extends PoolLimits, ProcessLimits {
  /** Nice value of its processes, up to 19. */
  readonly niceness: number;
}

const MEBIBYTE = 1024 * 1024;
const HOURS = 3600;

const READ = { cpuSeconds: 60, addressBytes: 4096 * MEBIBYTE } as const;
const PACK = { cpuSeconds: 6 * HOURS, dataBytes: 2048 * MEBIBYTE, addressBytes: 16_384 * MEBIBYTE } as const;

/**
 * Data is the private memory of a process (the system reclaims mapped packs when needed), address space is
 * all it can map: git maps at most 128 MB of packs at a time (`git-environment.ts`), but all of their
 * indexes, 40 MB for a million objects.
 */
export const GIT_KINDS: Readonly<Record<GitKind, KindLimits>> = {
  /** Single objects and refs; takes milliseconds. */
  read: {
    ...READ,
    width: 16,
    share: 8,
    waiting: 512,
    waitMs: 10_000,
    dataBytes: 256 * MEBIBYTE,
    niceness: 0,
  },
  /** Walks through histories and trees: logs, counts, diffs, merges. */
  walk: { ...READ, width: 8, share: 4, waiting: 256, waitMs: 15_000, dataBytes: 384 * MEBIBYTE, niceness: 2 },
  /** Responses that last as long as their client reads. */
  stream: {
    ...{ width: 32, share: 16, waiting: 64, waitMs: 10_000, niceness: 4 },
    ...{ cpuSeconds: HOURS, dataBytes: 512 * MEBIBYTE, addressBytes: READ.addressBytes },
  },
  /** Clones, fetches and pushes: each keeps a core busy while its pack is built or checked. */
  pack: { ...PACK, width: 16, share: 8, waiting: 256, waitMs: 30_000, niceness: 4 },
  /** Objects and refs written by requests. */
  write: {
    ...READ,
    width: 8,
    share: 4,
    waiting: 256,
    waitMs: 20_000,
    dataBytes: 512 * MEBIBYTE,
    niceness: 0,
  },
  /** Short reads and writes of jobs. */
  background: {
    ...{ width: 6, share: 3, waiting: Infinity, waitMs: Infinity, niceness: 6 },
    ...{ cpuSeconds: HOURS, dataBytes: 512 * MEBIBYTE, addressBytes: READ.addressBytes },
  },
  /**
   * Long work of jobs, minutes to hours: fetches from remotes, clean-up, checks. Their callers also limit
   * their number.
   */
  long: { ...PACK, width: 32, share: 16, waiting: Infinity, waitMs: Infinity, niceness: 8 },
};

const WALKS: ReadonlySet<string> = new Set([
  ...[
    'blame',
    'bundle',
    'diff',
    'diff-tree',
    'fsck',
    'log',
    'merge-base',
    'merge-tree',
    'rev-list',
    'shortlog',
  ],
]);

const WRITES: ReadonlySet<string> = new Set([
  ...['commit-tree', 'hash-object', 'init', 'mktag', 'mktree', 'pack-objects', 'pack-refs'],
  ...['read-tree', 'symbolic-ref', 'unpack-objects', 'update-index', 'update-ref', 'write-tree'],
]);

/** Killing these leaves git's lock files behind, so they always run to their end. A push whose client does not answer ends by itself. */
const FINISHED: ReadonlySet<string> = new Set([
  ...['init', 'pack-refs', 'receive-pack', 'symbolic-ref', 'update-ref'],
]);

/** Returns the command in git's arguments, after the options. */
export function commandIn(args: readonly string[]): string {
  let at = 0;
  while (args[at]?.startsWith('-')) at += args[at] === '-c' || args[at] === '-C' ? 2 : 1;
  return args[at] ?? '';
}

/** Options that make a short command a walk, and vice versa. */
const isWalk = (args: readonly string[]): boolean =>
  WALKS.has(commandIn(args))
    ? !args.some((arg) => arg.startsWith('--no-walk'))
    : args.some((arg) => arg === '-r' || /^--(contains|merged)\b/.test(arg));

/** Returns the kind of a call in a request. */
export const kindOf = (args: readonly string[]): GitKind =>
  WRITES.has(commandIn(args)) ? 'write' : isWalk(args) ? 'walk' : 'read';

/** Returns whether a call must not be killed once started. */
export const mustFinish = (args: readonly string[]): boolean => FINISHED.has(commandIn(args));
