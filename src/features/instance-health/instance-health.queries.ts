import { Injectable } from '@nestjs/common';
import { HealthChecks, type HealthResult } from '#kernel/health/health-checks.js';
import { within } from '#kernel/time/within.js';
import { PRODUCT_REVISION } from '#core/instance/version.js';
import { StorageSpaceContribution } from '#core/repositories/storage-space.contribution.js';
import { DatabaseHealthQueries } from './database-health.queries.js';
import type { DependencyRecord, DiskHealthRecord, InstanceHealthRecord } from './instance-health.record.js';

const LONGEST_MS = 2_000;

/** Collects the state of the instance: all parts in parallel, each with a short timeout. */
@Injectable()
export class InstanceHealthQueries {
  constructor(
    private readonly checks: HealthChecks,
    private readonly database: DatabaseHealthQueries,
    private readonly space: StorageSpaceContribution,
  ) {}

  /** Returns the state; never fails because of a part. */
  async now(): Promise<InstanceHealthRecord> {
    const [{ isComplete, checks }, database, slow, disks, backfills, expiring] = await Promise.all([
      this.checks.run(),
      soon(this.database.state()),
      soon(this.database.slowStatements()),
      soon(this.disks()),
      soon(this.database.backfills()),
      soon(this.database.expiring()),
    ]);
    return {
      ready: isComplete,
      revision: PRODUCT_REVISION,
      dependencies: dependenciesOf(checks),
      database,
      slow_statements: slow,
      disks,
      backfills,
      expiring,
    };
  }

  private async disks(): Promise<readonly DiskHealthRecord[]> {
    return [...(await this.space.all())].map(([name, { free, size }]) => ({
      name,
      free_bytes: free,
      size_bytes: size,
    }));
  }
}

/** By name, independently of the order of answers. */
const dependenciesOf = (checks: Readonly<Record<string, HealthResult>>): DependencyRecord[] =>
  Object.entries(checks)
    .map(([name, { status, message }]): DependencyRecord => ({
      name,
      status: status === 'down' ? 'down' : 'up',
      message: typeof message === 'string' ? message : null,
    }))
    .toSorted((left, right) => left.name.localeCompare(right.name));

/** Returns null for errors, and after two seconds. */
const soon = <T>(work: Promise<T>): Promise<T | null> =>
  within(
    LONGEST_MS,
    work.catch(() => null),
    () => null,
  );
