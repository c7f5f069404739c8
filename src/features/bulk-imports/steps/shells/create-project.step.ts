import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { NamespaceTarget } from '#core/groups/namespaces/namespaces.queries.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { CreateProject } from '#core/projects/writes/create-project.use-case.js';
import { ProjectAttributesParams } from '#core/projects/projects.params.js';
import { proseIn, timeIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { StepRun } from '../../engine/entity-step.js';
import { DestinationRefused } from '../destination-refused.js';
import { DestinationsService, refusal } from '../destinations.service.js';
import { ImporterFinder } from '../importer.finder.js';
import { allowedVisibility, attributesIn, nameIn, visibilityIn } from './source-attributes.js';
import { sourcePath } from './source-path.js';

const NAME_TAKEN = `select 1 from projects where namespace_id = $1 and not pending_delete and lower(name) = lower($2)`;

const MAX_DESCRIPTION = 2_000;

/** Creates the project of an entity. */
@Injectable()
export class CreateProjectStep {
  constructor(
    private readonly importers: ImporterFinder,
    private readonly destinations: DestinationsService,
    private readonly creation: CreateProject,
    private readonly settings: SettingsService,
  ) {}

  /** Creates it; idempotent. @throws DestinationRefused */
  async run(run: StepRun): Promise<void> {
    const { entity } = run;
    const record = await run.source.get(sourcePath(entity));
    const caller = await this.importers.callerOf(entity);
    const target = await this.destinations.find(caller.actor, entity);
    if (!target) throw new DestinationRefused("Destination namespace can't be blank");
    const params = this.paramsOf(record, entity.destinationSlug, target, caller.actor.admin);
    const createdAt = timeIn(record, 'created_at');
    await run
      .commit(async (tx) => {
        if ((await this.destinations.madeOf(tx, entity)) !== null) return;
        await this.destinations.assertFree(tx, target, entity.destinationSlug);
        params.name = await this.freeName(
          tx,
          target.id,
          nameIn(record, entity.destinationSlug),
          entity.destinationSlug,
        );
        const id = await this.creation.createWithin(
          tx,
          caller,
          params,
          target,
          createdAt ? new Date(createdAt) : null,
        );
        await this.destinations.keep(tx, entity, target.id, id);
        await run.progress(tx, { source: 1, fetched: 1, imported: 1 });
      })
      .catch((error: unknown) => {
        throw refusal(error);
      });
  }

  private paramsOf(
    record: SourceRecord,
    path: string,
    target: NamespaceTarget,
    isAdmin: boolean,
  ): ProjectAttributesParams {
    const restricted = isAdmin ? [] : this.settings.values.restricted_visibility_levels;
    const description =
      proseIn(record, 'description', Number.MAX_SAFE_INTEGER)?.slice(0, MAX_DESCRIPTION) ?? null;
    return Object.assign(attributesIn(record, ProjectAttributesParams, ['default_branch']), {
      path,
      description,
      visibility: allowedVisibility(visibilityIn(record), target.visibility, restricted),
    });
  }

  private async freeName(tx: Tx, namespaceId: number, name: string, slug: string): Promise<string> {
    const taken = await tx.query<unknown[]>(NAME_TAKEN, [namespaceId, name]);
    return taken.length === 0 ? name : `${name.slice(0, 120)} (${slug.slice(0, 120)})`;
  }
}
