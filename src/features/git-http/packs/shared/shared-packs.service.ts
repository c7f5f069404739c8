import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '#kernel/config/config.js';
import { registerGauge } from '#kernel/log/gauges.js';
import { countSharedPack } from '#kernel/log/metrics.js';
import { SharedPack, type PackProcess, type PackReader } from './shared-pack.js';
import { SpoolBudget } from './spool.js';

const MEBIBYTE = 1024 * 1024;

/** How long a pack is kept after its last reader, and at most after its start. */
const KEPT_MS = 30_000;
const OLDEST_MS = 600_000;
/** Limit of remembered requests: a request made twice may be made again. */
const MAX_REMEMBERED = 1_000;

/** A pack with the position of a client. */
export interface Joined {
  readonly pack: SharedPack;
  readonly reader: PackReader;
}

interface Entry {
  readonly pack: SharedPack;
  readonly begunAt: number;
  forget: NodeJS.Timeout | undefined;
}

/** Packs in progress, and packs kept for a while, by request. */
@Injectable()
export class SharedPacksService implements OnApplicationShutdown {
  private readonly entries = new Map<string, Entry>();
  private readonly askedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  private readonly budget: SpoolBudget;

  constructor({ PACK_CACHE_MB }: Config) {
    this.budget = new SpoolBudget(PACK_CACHE_MB * MEBIBYTE, () => this.makeRoom());
    registerGauge(
      'git_shared_packs_bytes',
      'Bytes on disk of packs for several clients',
      () => this.budget.bytes,
    );
  }

  /** Whether packs are shared at all. */
  get isOn(): boolean {
    return this.budget.maxBytes > 0;
  }

  /** Joins a pack from its start; null if there is none to join. */
  join(key: string): Joined | null {
    const entry = this.entries.get(key);
    if (!entry || performance.now() - entry.begunAt > OLDEST_MS) return null;
    const reader = entry.pack.join();
    if (!reader) return null;
    clearTimeout(entry.forget);
    countSharedPack();
    return { pack: entry.pack, reader };
  }

  /** Shares a new pack from a process that was just started. */
  begin(key: string, run: PackProcess, input: Buffer): Joined {
    const isAskedAgain = performance.now() - (this.askedAt.get(key) ?? -Infinity) < KEPT_MS;
    this.remember(key);
    const pack: SharedPack = new SharedPack(run, input, this.budget, () => this.rest(key, pack));
    const former = this.entries.get(key);
    clearTimeout(former?.forget);
    if (former?.pack.isKept && former.pack.isIdle) former.pack.remove();
    this.entries.set(key, { pack, begunAt: performance.now(), forget: undefined });
    const reader = pack.join() as PackReader;
    if (isAskedAgain) pack.spoolAll();
    return { pack, reader };
  }

  onApplicationShutdown(): void {
    for (const [key, { pack }] of this.entries) if (pack.isIdle) this.forget(key, pack);
  }

  /** Keeps or removes a pack without readers. */
  private rest(key: string, pack: SharedPack): void {
    this.remember(key);
    const entry = this.entries.get(key);
    if (entry?.pack !== pack || !pack.isKept) {
      this.forget(key, pack);
      return;
    }
    clearTimeout(entry.forget);
    entry.forget = setTimeout(() => this.forget(key, pack), KEPT_MS).unref();
  }

  private forget(key: string, pack: SharedPack): void {
    pack.remove();
    const entry = this.entries.get(key);
    if (entry?.pack !== pack) return;
    clearTimeout(entry.forget);
    this.entries.delete(key);
  }

  private makeRoom(): boolean {
    for (const [key, { pack }] of this.entries)
      if (pack.isKept && pack.isIdle) {
        this.forget(key, pack);
        return true;
      }
    return false;
  }

  private remember(key: string): void {
    this.askedAt.set(key, performance.now());
  }
}
