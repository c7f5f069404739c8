import { createHash } from 'node:crypto';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { isComplete } from './complete.js';

/** A sampled walk visits one route in that many, unless it names another number. */
const SHARE = 10;
const DAY_MS = 86_400_000;

/** The routes that a walk visits, or the cases of a table to try: all, or the sample of the day. */
export class DaySample {
  private constructor(
    private readonly seed: number,
    /** Whether everything is taken: lower bounds of what was tried depend on it. */
    readonly isWhole: boolean,
  ) {}

  /** TESTS_COMPLETE=1 takes all; DAY_SEED repeats the sample of another day. */
  static ofEnvironment(env: NodeJS.ProcessEnv = process.env, now = Date.now()): DaySample {
    const seed = Number(env['DAY_SEED'] ?? Math.floor(now / DAY_MS));
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new Error(`DAY_SEED is no whole number: ${env['DAY_SEED']}`);
    return new DaySample(seed, isComplete(env));
  }

  /** The routes to visit, in the given order. Consecutive seeds select other routes: `share` seeds cover all of them. */
  of<Route extends Pick<RouteDescription, 'method' | 'path'>>(
    routes: readonly Route[],
    share = SHARE,
  ): readonly Route[] {
    if (this.isWhole) return routes;
    return routes.filter((route) => (placeOf(route) + this.seed) % share === 0);
  }

  /**
   * One of that many cases: each is selected once in as many days. For tables in which each case costs a start of
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

/** Stays the same when other routes are added or removed. */
const placeOf = ({ method, path }: Pick<RouteDescription, 'method' | 'path'>): number =>
  createHash('sha256').update(`${method} ${path}`).digest().readUInt32BE(0);
