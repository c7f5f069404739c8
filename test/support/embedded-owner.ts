import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Another process that owns an embedded PostgreSQL. */
export interface Owner {
  pid: number;
  url: string;
  /** SIGKILL: it has no chance to clean up. */
  kill(): void;
}

/**
 * Starts a process that owns the embedded PostgreSQL of a folder; it accepts as many connections as one
 * product needs, or the given number.
 */
export async function spawnOwner(dataDir: string, connections?: number): Promise<Owner> {
  const given = connections === undefined ? [] : [String(connections)];
  const program = resolve('test/support/own-embedded-postgres.mjs');
  const child = spawn(process.execPath, [program, dataDir, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { pid: child.pid ?? 0, url, kill: () => void child.kill('SIGKILL') };
}
