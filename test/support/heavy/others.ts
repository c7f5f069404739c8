import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../installation.js';

/** Measures the effect of an attack on other requests, and on the process. */
export interface Noticed {
  /** Peak memory of the process. */
  readonly mostMiB: number;
  /** Milliseconds of `GET /user`. */
  readonly p99: number;
  readonly requests: number;
  /** Answers to others that were not 200. */
  readonly failed: number;
}

/** Repeats a small request for that many milliseconds; without an attack this tells what the machine takes for it. */
export async function othersNotice({ client, pid }: Member, milliseconds: number): Promise<Noticed> {
  const took: number[] = [];
  let [most, failed] = [0, 0];
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    const begun = performance.now();
    if ((await client.get('/user')).status !== 200) failed += 1;
    took.push(performance.now() - begun);
    most = Math.max(most, residentMiB(pid));
    await sleep(20);
  }
  took.sort((a, b) => a - b);
  const p99 = Math.round(took[Math.floor(took.length * 0.99)] ?? 0);
  return { mostMiB: Math.round(most), p99, requests: took.length, failed };
}

/** Memory that a process holds (Linux). */
function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
