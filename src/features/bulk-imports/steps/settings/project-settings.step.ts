import { Injectable } from '@nestjs/common';
import { PREMIUM_DEFAULTS } from '#core/projects/settings/premium-settings.js';
import { ProjectAttributesParams } from '#core/projects/projects.params.js';
import { PROJECT_DEFAULTS } from '#core/projects/settings/project-settings.js';
import { UpdateProject } from '#core/projects/writes/update-project.use-case.js';
import { flagIn } from '#core/exchange/source-record.js';
import type { StepRun } from '../../engine/entity-step.js';
import { ImporterFinder } from '../importer.finder.js';
import { attributesIn } from '../shells/source-attributes.js';
import { sourcePath } from '../shells/source-path.js';

/** A copy mirrors nothing, whatever its source does. */
const LEFT_OUT: ReadonlySet<string> = new Set(['mirror']);

/** Older names of some settings come along for sources that know no others. */
const NAMES = [
  ...Object.keys(PROJECT_DEFAULTS),
  ...Object.keys(PREMIUM_DEFAULTS),
  'issues_enabled',
  'merge_requests_enabled',
  'wiki_enabled',
  'jobs_enabled',
  'snippets_enabled',
  'emails_disabled',
  'public_builds',
  'topics',
  'tag_list',
].filter((name) => !LEFT_OUT.has(name)) as (keyof ProjectAttributesParams)[];

/** Brings the settings of a project over. */
@Injectable()
export class ProjectSettingsStep {
  constructor(
    private readonly importers: ImporterFinder,
    private readonly projects: UpdateProject,
  ) {}

  /** Repeatable: the same values once more change nothing. */
  async run(run: StepRun): Promise<void> {
    const record = await run.source.get(sourcePath(run.entity));
    const { ownerId } = await run.target();
    const caller = await this.importers.callerOf(run.entity);
    await this.projects.update(ownerId, caller, attributesIn(record, ProjectAttributesParams, NAMES));
    await run.commit((tx) => run.progress(tx, { source: 1, fetched: 1, imported: 1 }));
  }

  /** Archives what is archived at the source, once everything else is there. */
  async archive(run: StepRun): Promise<void> {
    const record = await run.source.get(sourcePath(run.entity));
    if (!flagIn(record, 'archived')) return;
    const { ownerId } = await run.target();
    await this.projects.archive(ownerId, await this.importers.callerOf(run.entity), true);
    await run.commit((tx) => run.progress(tx, { source: 1, fetched: 1, imported: 1 }));
  }
}
