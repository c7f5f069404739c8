import { Injectable } from '@nestjs/common';
import { STAGES } from '#core/exchange/stages.js';
import type { Entity } from '../bulk-import.js';
import { SpecialSteps, type EntityStep } from '../engine/entity-step.js';
import { CopyAvatarStep } from './copy-avatar.step.js';
import { ChildrenStep } from './members/children.step.js';
import { GroupSettingsStep } from './settings/group-settings.step.js';
import { CreateGroupStep } from './shells/create-group.step.js';
import { MembersStep } from './members/members.step.js';
import { ProjectSettingsStep } from './settings/project-settings.step.js';
import { CreateProjectStep } from './shells/create-project.step.js';
import { NoteSourcesStep } from './note-sources.step.js';
import { RepositoryStep } from './repositories/repository.step.js';
import { SnippetsStep } from './repositories/snippets.step.js';

const { group: GROUP, project: PROJECT } = STAGES;

const always = (): boolean => true;
const withMembers = ({ migrateMemberships }: Entity): boolean => migrateMemberships;
const withProjects = ({ migrateProjects }: Entity): boolean => migrateProjects;

/** All steps other than records of an export. */
@Injectable()
export class V4StepsService extends SpecialSteps {
  private readonly steps: readonly EntityStep[];

  constructor(
    groupShell: CreateGroupStep,
    projectShell: CreateProjectStep,
    groupAttributes: GroupSettingsStep,
    projectSettings: ProjectSettingsStep,
    avatars: CopyAvatarStep,
    members: MembersStep,
    children: ChildrenStep,
    repositories: RepositoryStep,
    snippets: SnippetsStep,
    noteSources: NoteSourcesStep,
  ) {
    super();
    const group = (
      relation: string,
      stage: number,
      run: EntityStep['run'],
      applies: EntityStep['applies'] = always,
    ): EntityStep => ({ of: 'group', relation, stage, run, applies, failsEntity: stage === GROUP.shell });
    const project = (
      relation: string,
      stage: number,
      run: EntityStep['run'],
      applies: EntityStep['applies'] = always,
    ): EntityStep => {
      const failsEntity = stage === PROJECT.shell || relation === 'repository';
      return { of: 'project', relation, stage, run, applies, failsEntity };
    };
    this.steps = [
      group('group', GROUP.shell, (run) => groupShell.run(run)),
      group('group_attributes', GROUP.basics, (run) => groupAttributes.run(run)),
      group('avatar', GROUP.basics, (run) => avatars.group(run)),
      group('members', GROUP.basics, (run) => members.run(run), withMembers),
      group('wiki', GROUP.content, (run) => repositories.wiki(run)),
      group('project_entities', GROUP.projects, (run) => children.run(run, 'project'), withProjects),
      group('subgroups', GROUP.subgroups, (run) => children.run(run, 'group')),
      project('project', PROJECT.shell, (run) => projectShell.run(run)),
      project('repository', PROJECT.basics, (run) => repositories.code(run)),
      project('project_attributes', PROJECT.basics, (run) => projectSettings.run(run)),
      project('avatar', PROJECT.basics, (run) => avatars.project(run)),
      project('members', PROJECT.basics, (run) => members.run(run), withMembers),
      // After the snippets were created.
      project('snippets_repository', PROJECT.changes, (run) => snippets.run(run)),
      // After the issues and merge requests that notes refer to.
      project('references', PROJECT.last, (run) => noteSources.run(run)),
      project('wiki', PROJECT.last, (run) => repositories.wiki(run)),
      // Last: an archived project can no longer be changed.
      project('archived', PROJECT.last + 1, (run) => projectSettings.archive(run)),
    ];
  }

  override all(): readonly EntityStep[] {
    return this.steps;
  }
}
