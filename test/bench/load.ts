import { readdirSync, readFileSync } from 'node:fs';
import autocannon from 'autocannon';

/** One measured round. */
export interface Round {
  readonly perSecond: number;
  readonly p99: number;
  readonly failures: number;
  readonly requests: number;
}

/** One request of a load. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const CONNECTIONS = 16;

/** Sends requests over 16 connections for some seconds, each one made anew by `next`. */
export async function load(
  url: string,
  seconds: number,
  next: () => LoadRequest,
  connections = CONNECTIONS,
): Promise<Round> {
  const result = await autocannon({
    url,
    duration: seconds,
    connections,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  return {
    perSecond: result.requests.average,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
    requests: result.requests.total,
  };
}

/** CPU of processes in microseconds. */
export function cpuMicroseconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** The same for all children of a process, including those that have ended since. */
export function treeMicroseconds(pid: number): number {
  return cpuMicroseconds(childrenOf(pid)) + ticksOf(pid, 13) * TICK_MICROSECONDS;
}

/** The same for a process and all its descendants, including those that have ended. */
export function wholeTreeMicroseconds(pid: number): number {
  const own = cpuOf(pid) + ticksOf(pid, 13) * TICK_MICROSECONDS;
  return childrenOf(pid).reduce((sum, child) => sum + wholeTreeMicroseconds(child), own);
}

const TICK_MICROSECONDS = 10_000;

/**
 * The scheduler counts the nanoseconds of each thread, but only of those that still run; clock ticks are of
 * all.
 */
function cpuOf(pid: number): number {
  return Math.max(nanosecondsOf(pid) / 1_000, ticksOf(pid) * TICK_MICROSECONDS);
}

function nanosecondsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')), 0);
  } catch {
    return 0;
  }
}

/** User and system time begin at field 11; those of children that have ended at 13. */
function ticksOf(pid: number, first = 11): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    return Number(fields[first]) + Number(fields[first + 1]);
  } catch {
    return 0;
  }
}

/** Ids of the direct children of a process. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        const fields = readFileSync(`/proc/${one}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
        return Number(fields[1]) === pid;
      } catch {
        return false;
      }
    });
}

/** Resident memory of a process in MB; `Pss` counts shared pages once among those who share them. */
export function memoryOf(pid: number, kind: 'Rss' | 'Pss' = 'Rss'): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${kind}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
