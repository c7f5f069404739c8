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

/** How environments are found to be locked: each by its project, and a second value. */
const LOCKS = {
  id: `${LOCK} id = $2 for update`,
  name: `${LOCK} name = $2 for update`,
  deployment: `${LOCK} id = (select environment_id from deployments where id = $2 and project_id = $1) for update`,
} as const;

/** What a client says of an environment. */
export interface EnvironmentValues {
  readonly externalUrl?: string | null | undefined;
  readonly tier?: EnvironmentTier | undefined;
}

/** Names that other names' slugs collide with are rare; each attempt draws another suffix. */
const SLUG_ATTEMPTS = 10;

/**
 * Environments of a project. Whoever decides by what is deployed to an environment locks its row first: deployments are made,
 * changed and removed under the same lock.
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

  /** Locks an environment of a project; null when it is gone. */
  lockOrNull(tx: Tx, projectId: number, id: number): Promise<Environment | null> {
    return lockBy(tx, 'id', projectId, id);
  }

  /**
   * Locks an environment of a project by its name, or by a deployment of it, in one way to the database with what `tx` runs next; null when there is
   * none.
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
   * Locks the environment of a name, which is created (with what `valuesOf` tells then) if there is none; requests that do so at the same time get
   * the same one.
   * @throws 400 under the key `field` for a name that cannot be one.
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

  /** Creates an environment and returns its id. @throws 400 for a name that is taken or cannot be one, and for a bad address. */
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

  /** Changes address and tier. @throws 400 for a bad address. */
  async update(tx: Tx, environment: Environment, values: EnvironmentValues): Promise<void> {
    assertUrl(values);
    if (values.externalUrl !== undefined) environment.externalUrl = urlOf(values);
    if (values.tier !== undefined) environment.tier = values.tier;
    await tx.save(environment);
  }

  /** Stops an environment; one that is stopped stays as it is. */
  async stop(tx: Tx, environment: Environment): Promise<void> {
    environment.state = 'stopped';
    environment.autoStopAt = null;
    await tx.save(environment);
  }

  /** Makes an environment available again, and keeps it from being removed. */
  async restart(tx: Tx, environment: Environment): Promise<void> {
    environment.state = 'available';
    environment.autoDeleteAt = null;
    await tx.save(environment);
  }

  /**
   * Removes a stopped environment with all its deployments.
   * @throws 403 while it is not stopped, 412
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

  /** Null when the name or the slug is taken, also by somebody who has only just committed. */
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

/** A blank address is none. */
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
