import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

const run = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** A folder without space for a file of more than a megabyte until `grow`. */
export interface SmallDisk {
  /** Gives the disk enough space. */
  readonly grow: () => void;
  /** Leaves less than two megabytes of free space. */
  readonly shrink: () => void;
  /** Must be called before the folder is removed. */
  readonly remove: () => void;
}

/**
 * Creates the disk: a small file system; if this machine does not allow mounting one, a limit on the file
 * size of the process, which causes the same error. @throws if neither is possible
 */
export function makeSmallDisk(folder: string, pid: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  if (run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'forgeplane-test', folder))
    return {
      grow: () => must(run('mount', '-o', 'remount,size=128m', folder)),
      shrink: () => must(run('mount', '-o', `remount,size=${usedMegabytes(folder) + 1}m`, folder)),
      remove: () => must(run('umount', '--lazy', folder)),
    };
  const limit = (bytes: string): boolean =>
    run('prlimit', '--pid', String(pid), `--fsize=${bytes}:unlimited`);
  must(limit('1000000'));
  return {
    grow: () => must(limit('unlimited')),
    shrink: () => must(limit('1000000')),
    remove: () => undefined,
  };
}

/** Used space of the file system, rounded up. */
function usedMegabytes(folder: string): number {
  const { blocks, bfree, bsize } = statfsSync(folder);
  return Math.ceil(((blocks - bfree) * bsize) / 1024 / 1024);
}

function must(done: boolean): void {
  if (!done) throw new Error('Neither a file system can be mounted here nor a limit be set');
}
