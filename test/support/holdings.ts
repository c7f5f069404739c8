import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Product } from './processes.js';

/** Resources of a process of the product at a moment. */
export interface Held {
  readonly memoryMiB: number;
  readonly handles: number;
  /** Its descendants; an embedded PostgreSQL counts too. */
  readonly processes: number;
  readonly temporaryFiles: number;
}

/** Names of unfinished work in persistent folders. */
const TEMPORARY = /tmp|quarantine|\.lock$|partial/i;

/** Observes the resources of a process from outside (Linux). */
export class Holdings {
  /** Folder for the `TMPDIR` of the process. */
  readonly temporary = mkdtempSync(join(tmpdir(), 'forgeplane-soak-'));

  look({ pid, dataDir }: Pick<Product, 'pid' | 'dataDir'>): Held {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return {
      memoryMiB: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
      handles: readdirSync(`/proc/${pid}/fd`).length,
      processes: descendants(pid),
      temporaryFiles: filesIn(this.temporary).length + filesIn(dataDir).filter(isTemporary).length,
    };
  }

  remove(): void {
    rmSync(this.temporary, { recursive: true, force: true });
  }
}

const isTemporary = (path: string): boolean => path.split('/').some((name) => TEMPORARY.test(name));

/** Paths of the files below a folder, relative to it. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath.slice(folder.length), entry.name));
  } catch {
    // A folder was removed while it was read.
    return [];
  }
}

function descendants(pid: number): number {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  const count = (of: number): number =>
    (children.get(of) ?? []).reduce((sum, child) => sum + 1 + count(child), 0);
  return count(pid);
}
