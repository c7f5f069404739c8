import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { HttpError } from '#kernel/http/errors.js';
import { Sources } from '../../source/source-api.js';
import { sourceBase } from '../../source/source-base.js';
import { SourceBusy, SourceRefused } from '../../source/source-errors.js';
import { SourceLimits } from '../../source/source-limits.js';
import { ProbeSource } from '../../source/probe-source.use-case.js';
import { CreateBulkImport } from './create-bulk-import.use-case.js';
import type { CreateBulkImportParams } from '../bulk-imports.params.js';
import { BulkImportCreationLimit } from './bulk-import-creation.limit.js';
import { DestinationRules } from './destination.rules.js';
import { DryRun } from '../dry-run/dry-run.use-case.js';
import type { DryRunRecord } from '../dry-run/dry-run.record.js';
import { plannedEntities, type PlannedEntity } from './planned-entity.js';

const TOO_SLOW = 'The source instance does not respond in time';

const unprocessable = (message: string): HttpError => new HttpError(422, { message });

/** Checks requests for migrations, in the order of `ops.md` 1.2, and stores them. */
@Injectable()
export class RequestBulkImport {
  constructor(
    private readonly limit: BulkImportCreationLimit,
    private readonly probe: ProbeSource,
    private readonly sources: Sources,
    private readonly limits: SourceLimits,
    private readonly destinations: DestinationRules,
    private readonly creation: CreateBulkImport,
    private readonly dryRun: DryRun,
  ) {}

  /** Stores a migration and returns its id. @throws 400, 422, 429 */
  async create(actor: Actor, params: CreateBulkImportParams): Promise<number> {
    await this.limit.admit(actor.id);
    const entities = plannedEntities(params.entities);
    const version = await this.look(params, entities);
    const [problem] = (await this.destinations.problems(actor, entities)).flat();
    if (problem !== undefined) throw unprocessable(problem);
    const { url, access_token: token } = params.configuration;
    return this.creation.run(actor, { url: sourceBase(url), token, version }, entities);
  }

  /** Returns what a migration would create. @throws 400, 422, 429 */
  async plan(actor: Actor, params: CreateBulkImportParams): Promise<DryRunRecord> {
    await this.limit.admit(actor.id);
    const entities = plannedEntities(params.entities);
    await this.look(params, entities);
    const problems = await this.destinations.problems(actor, entities);
    const { url, access_token: token } = params.configuration;
    const source = this.sources.open(url, token, AbortSignal.timeout(this.limits.planMs));
    const planned = [];
    for (const [index, entity] of entities.entries())
      planned.push(await shown(this.dryRun.run(source, actor, entity, problems[index] ?? [])));
    return { entities: planned };
  }

  /** A client is waiting: the time for the source's answers is limited. */
  private async look(
    { configuration }: CreateBulkImportParams,
    entities: readonly PlannedEntity[],
  ): Promise<string> {
    const { url, access_token: token } = configuration;
    const found = await shown(
      this.probe.run(url, token, entities, AbortSignal.timeout(this.limits.patienceMs)),
    );
    return found.version;
  }
}

/** Converts errors of the source to errors of the request. */
async function shown<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SourceBusy || error instanceof SourceRefused) throw unprocessable(error.message);
    if (error instanceof DOMException && error.name === 'TimeoutError') throw unprocessable(TOO_SLOW);
    throw error;
  }
}
