import { createHash } from 'node:crypto';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { isComplete } from '../complete.js';

/** A sampled walk goes to one route of so many. */
const SHARE = 10;
const DAY_MS = 86_400_000;

/** Which routes a walk goes to: all of them, or the share that a seed picks. */
export class WalkSample {
  private constructor(
    private readonly seed: number,
    private readonly isWhole: boolean,
  ) {}

  /** TESTS_COMPLETE=1 walks everywhere; WALK_SEED repeats the walk of another day than today. */
  static ofEnvironment(env: NodeJS.ProcessEnv = process.env, now = Date.now()): WalkSample {
    const seed = Number(env['WALK_SEED'] ?? Math.floor(now / DAY_MS));
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new Error(`WALK_SEED is no whole number: ${env['WALK_SEED']}`);
    return new WalkSample(seed, isComplete(env));
  }

  /** The routes to walk, in the order given. Seeds that follow each other pick others: after ten of them every route had its turn. */
  of<Route extends Pick<RouteDescription, 'method' | 'path'>>(routes: readonly Route[]): readonly Route[] {
    if (this.isWhole) return routes;
    return routes.filter((route) => (placeOf(route) + this.seed) % SHARE === 0);
  }

  /** What repeats this walk. */
  toString(): string {
    return this.isWhole ? 'TESTS_COMPLETE=1' : `WALK_SEED=${this.seed}`;
  }
}

/** Stays the same when other routes come and go. */
const placeOf = ({ method, path }: Pick<RouteDescription, 'method' | 'path'>): number =>
  createHash('sha256').update(`${method} ${path}`).digest().readUInt32BE(0) % SHARE;
