import type { PoolLimits } from '#kernel/processes/fair-pool.js';
import type { ProcessLimits } from '#kernel/processes/process-limits.js';

/** Kinds of work that git does; none takes the places of another. */
export type GitKind = 'read' | 'walk' | 'stream' | 'pack' | 'write' | 'background' | 'long';

/** What runs at a time in this process, and what one process may use. */
interface KindLimits extends PoolLimits, ProcessLimits {
  /** How much processes of the kind give way to others, up to 19. */
  readonly niceness: number;
}

const MEBIBYTE = 1024 * 1024;
const HOURS = 3600;

const READ = { cpuSeconds: 60, addressBytes: 4096 * MEBIBYTE } as const;
const PACK = { cpuSeconds: 6 * HOURS, dataBytes: 2048 * MEBIBYTE, addressBytes: 16_384 * MEBIBYTE } as const;

/**
 * Data is what a process has for itself alone (what it maps of packs the system takes back when it needs room), the address space all that it
 * can reach: git maps no more than 128 MB of packs at a time (`git-environment.ts`), but all of their indexes, 40 MB for a million objects.
 */
export const GIT_KINDS: Readonly<Record<GitKind, KindLimits>> = {
  /** Single objects and refs: over in milliseconds. */
  read: {
    ...READ,
    width: 16,
    share: 8,
    waiting: 512,
    waitMs: 10_000,
    dataBytes: 256 * MEBIBYTE,
    niceness: 0,
  },
  /** What goes through histories and trees: logs, counts, differences, merges. */
  walk: { ...READ, width: 8, share: 4, waiting: 256, waitMs: 15_000, dataBytes: 384 * MEBIBYTE, niceness: 2 },
  /** Answers that last as long as their client reads. */
  stream: {
    ...{ width: 32, share: 16, waiting: 64, waitMs: 10_000, niceness: 4 },
    ...{ cpuSeconds: HOURS, dataBytes: 512 * MEBIBYTE, addressBytes: READ.addressBytes },
  },
  /** Clones, fetches and pushes: each keeps a core busy while its pack is made or checked. */
  pack: { ...PACK, width: 16, share: 8, waiting: 256, waitMs: 30_000, niceness: 4 },
  /** Objects and refs that requests write. */
  write: {
    ...READ,
    width: 8,
    share: 4,
    waiting: 256,
    waitMs: 20_000,
    dataBytes: 512 * MEBIBYTE,
    niceness: 0,
  },
  /** The same and reads, for jobs. */
  background: {
    ...{ width: 6, share: 3, waiting: Infinity, waitMs: Infinity, niceness: 6 },
    ...{ cpuSeconds: HOURS, dataBytes: 512 * MEBIBYTE, addressBytes: READ.addressBytes },
  },
  /** Minutes and hours of jobs: fetches from elsewhere, clean-up, checks. Whoever starts them limits their number too. */
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

/** Git leaves its locks behind when these are killed: once begun they are finished, whoever waits for them. */
const FINISHED: ReadonlySet<string> = new Set(['init', 'pack-refs', 'symbolic-ref', 'update-ref']);

/** The command in the arguments of git, behind its options. */
export function commandIn(args: readonly string[]): string {
  let at = 0;
  while (args[at]?.startsWith('-')) at += args[at] === '-c' || args[at] === '-C' ? 2 : 1;
  return args[at] ?? '';
}

/** Options that make a walk of what is short without them, and the other way round. */
const isWalk = (args: readonly string[]): boolean =>
  WALKS.has(commandIn(args))
    ? !args.some((arg) => arg.startsWith('--no-walk'))
    : args.some((arg) => arg === '-r' || /^--(contains|merged)\b/.test(arg));

/** What kind of work a call in the answer to a request is. */
export const kindOf = (args: readonly string[]): GitKind =>
  WRITES.has(commandIn(args)) ? 'write' : isWalk(args) ? 'walk' : 'read';

/** Whether a call must not be cut off once it has begun. */
export const mustFinish = (args: readonly string[]): boolean => FINISHED.has(commandIn(args));
