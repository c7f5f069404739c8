import { Injectable } from '@nestjs/common';
import { UpdateGroupParams } from '#core/groups/groups.params.js';
import { GroupsService } from '#core/groups/groups.service.js';
import type { StepRun } from '../../engine/entity-step.js';
import { ImporterFinder } from '../importer.finder.js';
import { attributesIn } from '../shells/source-attributes.js';
import { sourcePath } from '../shells/source-path.js';

/**
 * Names, path and visibility belong to the shell; limits of CI minutes and templates belong to the instance.
 */
const NAMES = [
  'share_with_group_lock',
  'require_two_factor_authentication',
  'two_factor_grace_period',
  'project_creation_level',
  'auto_devops_enabled',
  'subgroup_creation_level',
  'emails_disabled',
  'emails_enabled',
  'mentions_disabled',
  'default_branch_protection',
  'request_access_enabled',
  'shared_runners_setting',
  'prevent_sharing_groups_outside_hierarchy',
  'membership_lock',
  'prevent_forking_outside_group',
  'wiki_access_level',
] as const satisfies readonly (keyof UpdateGroupParams)[];

/** Imports the settings of a group. */
@Injectable()
export class GroupSettingsStep {
  constructor(
    private readonly importers: ImporterFinder,
    private readonly groups: GroupsService,
  ) {}

  /** Imports them; idempotent. */
  async run(run: StepRun): Promise<void> {
    const record = await run.source.get(sourcePath(run.entity), { with_projects: false });
    const { ownerId } = await run.target();
    await run.assertAllowed();
    const caller = await this.importers.callerOf(run.entity);
    // Both have the same meaning, but only the older one can be unset.
    const names = NAMES.filter((name) => name !== 'emails_enabled' || !('emails_disabled' in record));
    await this.groups.update(caller, ownerId, attributesIn(record, UpdateGroupParams, names));
    await run.commit((tx) => run.progress(tx, { source: 1, fetched: 1, imported: 1 }));
  }
}
