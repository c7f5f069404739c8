import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Marks every process of one data folder: it stands in the command line of the server and in its children's titles. */
export function clusterName(dataFolder: string): string {
  const { dev, ino } = statSync(dataFolder);
  return `forgeplane-${dev.toString(36)}-${ino.toString(36)}`;
}

/**
 * Ends a PostgreSQL that outlived a killed owner, then removes what it left. The caller holds the owner lock, so
 * whatever still runs on this folder is nobody's. A postmaster.pid proves nothing (its pid may be a zombie's or
 * somebody else's by now): the processes are found by their cluster name.
 */
export async function stopLeftovers(
  dataFolder: string,
  log: (line: string) => void,
  keptSocketFolder?: string,
): Promise<void> {
  const name = clusterName(dataFolder);
  // Read first: a server that ends well removes the file.
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

/** What PostgreSQL writes into postmaster.pid. */
export interface PidFile {
  pid: number;
  socketFolder: string | undefined;
  ready: boolean;
}

/** Reads postmaster.pid; undefined when there is none. */
export function readPidFile(dataFolder: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4]?.trim(), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return undefined;
  }
}

/** Whether the folder is one that this launcher made for a socket. */
function isSocketFolder(path: string): boolean {
  return /\/forgeplane-pg-[^/]+$/.test(path);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in the meantime.
  }
}

/** Pids of the living processes of a cluster; a zombie has no command line and is not among them. */
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
      } catch {
        return [Number(entry), ''];
      }
    });
}
