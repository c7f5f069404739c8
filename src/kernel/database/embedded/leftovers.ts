import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the name that identifies all processes of a data folder, in the server's command line and its children's titles. */
export function clusterName(dataFolder: string): string {
  const { dev, ino } = statSync(dataFolder);
  return `forgeplane-${dev.toString(36)}-${ino.toString(36)}`;
}

/**
 * Stops a PostgreSQL that outlived its killed owner, then removes its files. The caller holds the owner lock, so a
 * server that still runs on this folder has no owner. The function finds the processes by their cluster name, because the pid
 * in postmaster.pid may belong to a zombie or to another program.
 */
export async function stopLeftovers(
  dataFolder: string,
  log: (line: string) => void,
  keptSocketFolder?: string,
): Promise<void> {
  const name = clusterName(dataFolder);
  // Read the file first: a server that stops cleanly removes it.
  const socketFolder = readPidFile(dataFolder)?.socketFolder;
  for (const [signal, seconds] of [
    ['SIGINT', 30],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    const found = serverProcesses(name);
    if (found.length === 0) break;
    log(`ending the PostgreSQL that a killed process left behind (pid ${found.join(', ')})`);
    for (const pid of found) sendSignal(pid, signal);
    for (let waited = 0; waited < seconds * 1000 && serverProcesses(name).length > 0; waited += 20)
      await sleep(20);
  }
  const file = join(dataFolder, 'postmaster.pid');
  if (socketFolder && socketFolder !== keptSocketFolder && isSocketFolder(socketFolder))
    rmSync(socketFolder, { recursive: true, force: true });
  rmSync(file, { force: true });
}

/** Content of postmaster.pid. */
export interface PidFile {
  pid: number;
  socketFolder: string | undefined;
  ready: boolean;
}

/** Reads postmaster.pid; undefined if it does not exist. */
export function readPidFile(dataFolder: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4]?.trim(), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return undefined;
  }
}

/** Whether this launcher created the folder for a socket. */
function isSocketFolder(path: string): boolean {
  return /\/forgeplane-pg-[^/]+$/.test(path);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended in the meantime.
  }
}

/** Returns the pids of the running processes of a cluster; a zombie has no command line, so it is not found. */
function serverProcesses(name: string): number[] {
  const ours = new RegExp(`^postgres: ${name}: |/postgres -D .*cluster_name=${name}( |$)`);
  return commandLines()
    .filter(([, command]) => ours.test(command))
    .map(([pid]) => pid);
}

function commandLines(): [pid: number, command: string][] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return lines.map((line) => [Number.parseInt(line, 10), line.replace(/^ *\d+ /, '')]);
  }
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => {
      try {
        return [Number(entry), readFileSync(`/proc/${entry}/cmdline`, 'latin1').replaceAll('\0', ' ')];
      } catch (error) {
        // A process that cannot be seen for lack of descriptors may be the server.
        if (['EMFILE', 'ENFILE', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
        return [Number(entry), ''];
      }
    });
}
