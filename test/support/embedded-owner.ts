import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Another process that owns an embedded PostgreSQL. */
export interface Owner {
  pid: number;
  url: string;
  /** SIGKILL: nothing of it gets a chance to clean up. */
  kill(): void;
}

/** Starts a process that owns the embedded PostgreSQL of a folder. */
export async function spawnOwner(dataDir: string): Promise<Owner> {
  const child = spawn(process.execPath, [resolve('test/support/own-embedded-postgres.mjs'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { pid: child.pid ?? 0, url, kill: () => void child.kill('SIGKILL') };
}
