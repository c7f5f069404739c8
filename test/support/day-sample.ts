import { createHash } from 'node:crypto';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { isComplete } from './complete.js';

/** A sampled walk goes to one route of so many. */
const SHARE = 10;
const DAY_MS = 86_400_000;

/** Which routes a walk goes to, or cases of a table are tried: all of them, or the share that the day picks. */
export class DaySample {
  private constructor(
    private readonly seed: number,
    private readonly isWhole: boolean,
  ) {}

  /** TESTS_COMPLETE=1 walks everywhere; DAY_SEED repeats what another day than today picks. */
  static ofEnvironment(env: NodeJS.ProcessEnv = process.env, now = Date.now()): DaySample {
    const seed = Number(env['DAY_SEED'] ?? Math.floor(now / DAY_MS));
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new Error(`DAY_SEED is no whole number: ${env['DAY_SEED']}`);
    return new DaySample(seed, isComplete(env));
  }

  /** The routes to walk, in the order given. Seeds that follow each other pick others: after ten of them every route had its turn. */
  of<Route extends Pick<RouteDescription, 'method' | 'path'>>(routes: readonly Route[]): readonly Route[] {
    if (this.isWhole) return routes;
    return routes.filter((route) => (placeOf(route) + this.seed) % SHARE === 0);
  }

  /**
   * One of that many cases: each has its turn in as many days. For tables in which each case costs a start of
   * the product or similar.
   */
  some<Case>(cases: readonly Case[], share: number): readonly Case[] {
    return this.isWhole ? cases : cases.filter((_, place) => place % share === this.seed % share);
  }

  /** The seed that repeats this choice. */
  toString(): string {
    return this.isWhole ? 'TESTS_COMPLETE=1' : `DAY_SEED=${this.seed}`;
  }
}

/** Stays the same when other routes come and go. */
const placeOf = ({ method, path }: Pick<RouteDescription, 'method' | 'path'>): number =>
  createHash('sha256').update(`${method} ${path}`).digest().readUInt32BE(0) % SHARE;
