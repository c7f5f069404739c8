import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { until } from './until.js';

/** A command in its own process group, as started by a terminal. */
export interface Launched {
  readonly pid: number;
  /** All of its output. */
  readonly output: () => string;
  /** Its standard error. */
  readonly problems: () => string;
  /** Exit code or signal. */
  readonly ended: Promise<number | string>;
  /** Sends a signal to the whole group, as Ctrl-C does. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Closes the reading ends of its output, as a terminal or a log collector that has ended. */
  readonly unhear: () => void;
}

/**
 * Runs a script, or the built product, with only the given variables (and PATH, HOME); one process serves
 * unless they say otherwise.
 */
export function launch(script: string, env: Readonly<Record<string, string>>): Launched {
  const child = spawn(process.execPath, [resolve(script)], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], API_PROCESSES: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return launched(child);
}

function launched(child: ChildProcess): Launched {
  const pid = child.pid ?? 0;
  let text = '';
  let problems = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (text += String(data)));
  child.stderr?.on('data', (data) => (problems += String(data)));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    pid,
    output: () => text,
    problems: () => problems,
    ended,
    signal: (name) => {
      try {
        process.kill(-pid, name);
      } catch {
        // The whole process group has ended.
      }
    },
    unhear: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}

/** Resolves once the product has announced itself; rejects with its output if it ends before. */
export async function untilAnnounced(start: Launched, withinMs = 60_000): Promise<void> {
  let end: number | string | undefined;
  void start.ended.then((code) => (end = code));
  await until(() => {
    if (end !== undefined) throw new Error(`It ended with ${end}:\n${start.output()}`);
    return start.output().includes('is ready on');
  }, withinMs);
}

/** Pids of the running processes whose command line contains the text (Linux). */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => pid !== process.pid && commandOf(pid).includes(text));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
