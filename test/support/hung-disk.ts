import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';

/** A folder on a disk that never responds, like one of a lost server. */
export interface HungDisk {
  /** Lets everything fail that waits for it, and removes it. */
  readonly remove: () => void;
}

/** Mounts the disk: a file system in user space that answers no question. Null if this machine does not allow that. */
export function makeHungDisk(folder: string): HungDisk | null {
  mkdirSync(folder, { recursive: true });
  let device: number;
  try {
    device = openSync('/dev/fuse', 'r+');
  } catch {
    return null;
  }
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  const { status } = spawnSync(
    'mount',
    ['-i', '-n', '-t', 'fuse', '-o', options, 'forgeplane-test', folder],
    {
      stdio: ['ignore', 'ignore', 'ignore', device],
      timeout: 10_000,
      killSignal: 'SIGKILL',
    },
  );
  if (status !== 0) {
    closeSync(device);
    return null;
  }
  return {
    remove: () => {
      closeSync(device);
      spawnSync('umount', ['--lazy', '--no-canonicalize', folder]);
    },
  };
}
