import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Counter } from 'prom-client';
import { LRUCache } from 'lru-cache';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { metrics } from '#kernel/log/metrics.js';
import { describeRepository, type RepositoryRef } from '../repository-ref.js';
import { StoragesService } from '../storages.service.js';
import { readOwner, writeOwner } from './bare-repository.js';
import { RepositoryUnavailable } from './repository-unavailable.js';
import { askStorage } from './storage-answers.js';
import { StorageRootsService } from './storage-roots.service.js';

const refused = new Counter({
  name: 'repositories_unavailable_total',
  help: 'Uses of repositories that were refused because they are not where they should be',
  labelNames: ['storage', 'reason'] as const,
  registers: [metrics],
});

/** A repository as recorded in the database. */
export interface KnownRepository extends RepositoryRef {
  readonly storage: string;
  /** Null if the repository was created before identities were recorded. */
  readonly identity: string | null;
  /** Whether anything was ever written to it, if known. */
  readonly isWritten: boolean;
}

/** The file with the identity of a repository, as last read. */
interface SeenOwner {
  readonly file: string;
  readonly owner: string | null;
}

const REASONS = ['missing', 'foreign', 'unreadable'] as const;
type Reason = (typeof REASONS)[number];

const MAX_SEEN = 20_000;
const MAX_LOST = 100;
const LOG_EVERY_MS = 60_000;

/** How long readiness reports a lost repository after its last use. */
const TOLD_MS = 600_000;

/** Checks at every use that a repository exists and is the recorded one. */
@Injectable()
export class RepositoryPresenceService implements OnModuleInit {
  private readonly logger = new Logger('RepositoryStorages');
  private readonly seen = new LRUCache<string, SeenOwner>({ max: MAX_SEEN });
  private readonly lost = new LRUCache<string, { reason: Reason; at: number; loggedAt: number }>({
    max: MAX_LOST,
  });

  constructor(
    private readonly checks: HealthChecks,
    private readonly storages: StoragesService,
    private readonly roots: StorageRootsService,
  ) {}

  onModuleInit(): void {
    // A lost repository does not make the service unready for all others.
    this.checks.register('repositories', () => Promise.resolve(this.figures()), 'some');
    // From zero on: Prometheus sees no increase in a count that begins with the first loss.
    for (const storage of this.storages.names)
      for (const reason of REASONS) refused.inc({ storage, reason }, 0);
  }

  /**
   * Returns the folder of a repository; null if it was never written and does not exist. @throws 503 if it is
   * lost, or belongs to another owner
   */
  async find(known: KnownRepository): Promise<string | null> {
    await this.roots.require(known.storage);
    const path = this.storages.path(known.storage, known);
    const reason = await this.judge(path, known);
    if (reason === null) {
      if (this.lost.size > 0) this.lost.delete(nameOf(known));
      return path;
    }
    if (reason === 'missing' && known.identity === null && !known.isWritten) return null;
    this.tell(known, path, reason);
    throw new RepositoryUnavailable();
  }

  private async judge(path: string, { storage, identity }: KnownRepository): Promise<Reason | null> {
    try {
      const owner = await askStorage(storage, () => this.ownerAt(path));
      if (owner === null && identity !== null) await this.mark(path, identity);
      return owner === null || identity === null || owner === identity ? null : 'foreign';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
    }
  }

  /** Read again whenever the file was replaced or changed. */
  private async ownerAt(path: string): Promise<string | null> {
    const { dev, ino, mtimeMs, ctimeMs, size } = await stat(join(path, 'config'));
    const file = [dev, ino, mtimeMs, ctimeMs, size].join(' ');
    const known = this.seen.get(path);
    if (known?.file === file) return known.owner;
    const owner = await readOwner(path);
    this.seen.set(path, { file, owner });
    return owner;
  }

  /** Handles repositories restored from a backup older than identities. */
  private async mark(path: string, identity: string): Promise<void> {
    try {
      await writeOwner(path, identity);
    } catch (error) {
      this.logger.warn(`${path} cannot be given its identity: ${String(error)}`);
    }
  }

  private tell(known: KnownRepository, path: string, reason: Reason): void {
    refused.inc({ storage: known.storage, reason });
    const name = nameOf(known);
    const at = performance.now();
    const loggedAt = this.lost.get(name)?.loggedAt ?? -Infinity;
    const isDue = at - loggedAt >= LOG_EVERY_MS;
    this.lost.set(name, { reason, at, loggedAt: isDue ? at : loggedAt });
    if (isDue) this.logger.error(`The repository of ${name} is not available: ${path} is ${reason}`);
  }

  private figures(): { unavailable?: string[] } {
    const since = performance.now() - TOLD_MS;
    const unavailable = [...this.lost.entries()].reverse().filter(([, { at }]) => at >= since);
    return unavailable.length === 0
      ? {}
      : { unavailable: unavailable.map(([name, { reason }]) => `${name} is ${reason}`) };
  }
}

const nameOf = (known: KnownRepository): string => `${describeRepository(known)} on ${known.storage}`;
