import { Injectable } from '@nestjs/common';
import { runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { forbidden, invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { EnvironmentRemoved } from './environment-removed.event.js';
import { environmentNameProblem, environmentType } from './naming/environment-name.js';
import { environmentSlug } from './naming/environment-slug.js';
import { guessTier, type EnvironmentTier } from './naming/environment-tier.js';
import { Environment } from './environment.entity.js';
import { externalUrlProblem } from './naming/external-url.js';

const LOCK = `select id, created_at as "createdAt", updated_at as "updatedAt", project_id as "projectId", name, slug,
    environment_type as "environmentType", tier, state, external_url as "externalUrl", auto_stop_at as "autoStopAt",
    auto_delete_at as "autoDeleteAt"
  from environments where project_id = $1 and`;

/** Conditions by which environments are locked: the project, and a second value. */
const LOCKS = {
  id: `${LOCK} id = $2 for update`,
  name: `${LOCK} name = $2 for update`,
  deployment: `${LOCK} id = (select environment_id from deployments where id = $2 and project_id = $1) for update`,
} as const;

/** Attributes of an environment that a client sets. */
export interface EnvironmentValues {
  readonly externalUrl?: string | null | undefined;
  readonly tier?: EnvironmentTier | undefined;
}

/** Collisions of slugs are rare; each attempt uses another suffix. */
const SLUG_ATTEMPTS = 10;

/**
 * Manages environments of a project. Decisions that depend on deployments lock the row of the environment
 * first: deployments are created, changed and removed under the same lock.
 */
@Injectable()
export class EnvironmentsService {
  constructor(
    private readonly iids: InternalIdsService,
    private readonly events: DomainEvents,
  ) {}

  /** Locks an environment of a project. @throws 404 */
  async lock(tx: Tx, projectId: number, id: number): Promise<Environment> {
    const found = await this.lockOrNull(tx, projectId, id);
    if (!found) throw notFound('Environment');
    return found;
  }

  /** Locks an environment of a project; null if it does not exist. */
  lockOrNull(tx: Tx, projectId: number, id: number): Promise<Environment | null> {
    return lockBy(tx, 'id', projectId, id);
  }

  /**
   * Locks an environment of a project by its name or one of its deployments, in one round trip with the next
   * statement of `tx`; null if there is none.
   */
  async lockWithNext(
    tx: Tx,
    by: 'name' | 'deployment',
    projectId: number,
    value: string | number,
  ): Promise<() => Promise<Environment | null>> {
    const rows = await runWithNext<Environment>(tx, LOCKS[by], [projectId, value]);
    return async () => environmentOf(await rows());
  }

  /**
   * Locks the environment with a name, or creates it with the result of `valuesOf`; concurrent requests get
   * the same one.
   * @throws 400 under the key `field` if the name is invalid
   */
  async lockOrCreate(
    tx: Tx,
    projectId: number,
    name: string,
    field: string,
    valuesOf: () => Promise<EnvironmentValues> = nothing,
  ): Promise<Environment> {
    for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt += 1) {
      const found = await lockBy(tx, 'name', projectId, name);
      if (found) return found;
      assertName(name, field);
      await this.insert(tx, projectId, name, await valuesOf(), attempt);
    }
    throw new Error(`No slug left for an environment of project ${projectId}`);
  }

  /**
   * Creates an environment and returns its id. @throws 400 if the name is taken or invalid, or the URL is
   * invalid
   */
  async create(tx: Tx, projectId: number, name: string, values: EnvironmentValues): Promise<number> {
    assertName(name, 'name');
    assertUrl(values);
    for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt += 1) {
      const id = await this.insert(tx, projectId, name, values, attempt);
      if (id !== null) return id;
      if (await tx.existsBy(Environment, { projectId, name }))
        throw invalid({ name: ['has already been taken'] });
    }
    throw new Error(`No slug left for an environment of project ${projectId}`);
  }

  /** Updates URL and tier. @throws 400 if the URL is invalid */
  async update(tx: Tx, environment: Environment, values: EnvironmentValues): Promise<void> {
    assertUrl(values);
    if (values.externalUrl !== undefined) environment.externalUrl = urlOf(values);
    if (values.tier !== undefined) environment.tier = values.tier;
    await tx.save(environment);
  }

  /** Stops an environment; idempotent. */
  async stop(tx: Tx, environment: Environment): Promise<void> {
    environment.state = 'stopped';
    environment.autoStopAt = null;
    await tx.save(environment);
  }

  /** Makes an environment available again, and cancels its scheduled removal. */
  async restart(tx: Tx, environment: Environment): Promise<void> {
    environment.state = 'available';
    environment.autoDeleteAt = null;
    await tx.save(environment);
  }

  /**
   * Removes a stopped environment with all its deployments.
   * @throws 403 unless it is stopped, 412
   */
  async remove(tx: Tx, environment: Environment, unmodified?: UnmodifiedCheck): Promise<void> {
    if (environment.state !== 'stopped') throw forbidden();
    unmodified?.(environment.updatedAt);
    const { id, projectId, slug } = environment;
    const [row] = await tx.query<{ removed: number }[]>(
      `with gone as (delete from deployments where environment_id = $1 returning 1)
       select count(*)::int as removed from gone`,
      [id],
    );
    await tx.delete(Environment, { id });
    await this.iids.removed(tx, projectId, 'deployments', row?.removed ?? 0);
    await this.events.publish(tx, new EnvironmentRemoved(projectId, slug));
  }

  /** Returns null if the name or the slug is taken, even by a transaction that has just committed. */
  private async insert(
    tx: Tx,
    projectId: number,
    name: string,
    values: EnvironmentValues,
    attempt: number,
  ): Promise<number | null> {
    const [row] = await tx.query<{ id: number }[]>(
      `insert into environments (project_id, name, slug, environment_type, tier, external_url)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id`,
      [
        projectId,
        name,
        environmentSlug(name, attempt),
        environmentType(name),
        values.tier ?? guessTier(name),
        urlOf(values),
      ],
    );
    return row?.id ?? null;
  }
}

async function lockBy(
  tx: Tx,
  by: keyof typeof LOCKS,
  projectId: number,
  value: string | number,
): Promise<Environment | null> {
  return environmentOf(await tx.query<Environment[]>(LOCKS[by], [projectId, value]));
}

const environmentOf = ([row]: readonly Environment[]): Environment | null =>
  row ? Object.assign(new Environment(), row) : null;

const nothing = (): Promise<EnvironmentValues> => Promise.resolve({});

/** A blank URL counts as none. */
const urlOf = ({ externalUrl }: EnvironmentValues): string | null =>
  externalUrl === undefined || externalUrl === null || externalUrl.trim() === '' ? null : externalUrl;

function assertName(name: string, field: string): void {
  const problem = environmentNameProblem(name);
  if (problem !== null) throw invalid({ [field]: [problem] });
}

function assertUrl(values: EnvironmentValues): void {
  const url = urlOf(values);
  const problem = url === null ? null : externalUrlProblem(url);
  if (problem !== null) throw invalid({ external_url: [problem] });
}
