import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { CreateGroupParams } from '#core/groups/groups.params.js';
import { GroupsService } from '#core/groups/groups.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { textIn } from '#core/exchange/source-record.js';
import type { StepRun } from '../../engine/entity-step.js';
import { DestinationsService, refusal } from '../destinations.service.js';
import { ImporterFinder } from '../importer.finder.js';
import { allowedVisibility, nameIn, visibilityIn } from './source-attributes.js';
import { sourcePath } from './source-path.js';

const NAME_TAKEN = `select 1 from namespaces where type = 'Group' and not pending_delete and coalesce(parent_id, 0) = coalesce($1::bigint, 0)
  and lower(name) = lower($2)`;

const MAX_DESCRIPTION = 5_000;

/** Creates the group of an entity. */
@Injectable()
export class CreateGroupStep {
  constructor(
    private readonly importers: ImporterFinder,
    private readonly destinations: DestinationsService,
    private readonly groups: GroupsService,
    private readonly settings: SettingsService,
  ) {}

  /** Creates it; idempotent. @throws DestinationRefused */
  async run(run: StepRun): Promise<void> {
    const { entity } = run;
    const record = await run.source.get(sourcePath(entity), { with_projects: false });
    const caller = await this.importers.callerOf(entity);
    const target = await this.destinations.find(caller.actor, entity);
    const restricted = caller.actor.admin ? [] : this.settings.values.restricted_visibility_levels;
    const slug = entity.destinationSlug;
    const visibility = allowedVisibility(visibilityIn(record), target?.visibility ?? null, restricted);
    const description =
      textIn(record, 'description', Number.MAX_SAFE_INTEGER)?.slice(0, MAX_DESCRIPTION) ?? '';
    await run
      .commit(async (tx) => {
        if ((await this.destinations.madeOf(tx, entity)) !== null) return;
        await this.destinations.assertFree(tx, target, slug);
        const name = await this.freeName(tx, target?.id ?? null, nameIn(record, slug), slug);
        const params = Object.assign(new CreateGroupParams(), { name, path: slug, visibility, description });
        const id = await this.groups.createWithin(tx, caller, params, target);
        await this.destinations.keep(tx, entity, id, null);
        await run.progress(tx, { source: 1, fetched: 1, imported: 1 });
      })
      .catch((error: unknown) => {
        throw refusal(error);
      });
  }

  private async freeName(tx: Tx, parentId: number | null, name: string, slug: string): Promise<string> {
    const taken = await tx.query<unknown[]>(NAME_TAKEN, [parentId, name]);
    return taken.length === 0 ? name : `${name.slice(0, 120)} (${slug.slice(0, 120)})`;
  }
}
