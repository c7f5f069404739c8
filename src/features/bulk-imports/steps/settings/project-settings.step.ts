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

/** A copy is never a mirror. */
const LEFT_OUT: ReadonlySet<string> = new Set(['mirror']);

/** Includes former names of some settings, for sources that know only these. */
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

/** Imports the settings of a project. */
@Injectable()
export class ProjectSettingsStep {
  constructor(
    private readonly importers: ImporterFinder,
    private readonly projects: UpdateProject,
  ) {}

  /** Imports them; idempotent. */
  async run(run: StepRun): Promise<void> {
    const record = await run.source.get(sourcePath(run.entity));
    const { ownerId } = await run.target();
    await run.assertAllowed();
    const caller = await this.importers.callerOf(run.entity);
    await this.projects.update(ownerId, caller, attributesIn(record, ProjectAttributesParams, NAMES));
    await run.commit((tx) => run.progress(tx, { source: 1, fetched: 1, imported: 1 }));
  }

  /** Archives a project that is archived at the source, after everything else. */
  async archive(run: StepRun): Promise<void> {
    const record = await run.source.get(sourcePath(run.entity));
    if (!flagIn(record, 'archived')) return;
    const { ownerId } = await run.target();
    await run.assertAllowed();
    await this.projects.archive(ownerId, await this.importers.callerOf(run.entity), true);
    await run.commit((tx) => run.progress(tx, { source: 1, fetched: 1, imported: 1 }));
  }
}
