import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentProject, type Actor, type ProjectSubject } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { changeOf } from './change-of.js';
import { ProjectNotificationSettingRecord, presentOfProject } from './notification-setting.record.js';
import { ChangeOfProjectParams } from './notification-settings.params.js';
import { NotificationSettingsQueries } from './notification-settings.queries.js';
import { NotificationSettingsService } from './notification-settings.service.js';

/** The caller's notification setting for a project; for callers who can see the project. */
@Controller('api/v4/projects/:id/notification_settings')
export class ProjectSettingsController {
  constructor(
    private readonly settings: NotificationSettingsService,
    private readonly queries: NotificationSettingsQueries,
  ) {}

  @Get()
  @Access({ project: Role.Guest, publicRead: true })
  @Returns(ProjectNotificationSettingRecord)
  find(
    @CurrentActor() actor: Actor,
    @CurrentProject() project: ProjectSubject,
  ): Promise<ProjectNotificationSettingRecord> {
    return this.present(actor, project);
  }

  @Put()
  @Access({ project: Role.Guest, publicRead: true, archived: true })
  @Returns(ProjectNotificationSettingRecord)
  async change(
    @CurrentActor() actor: Actor,
    @CurrentProject() project: ProjectSubject,
    @Params() params: ChangeOfProjectParams,
  ): Promise<ProjectNotificationSettingRecord> {
    await this.settings.change(actor.id, { type: 'Project', id: project.id }, changeOf(params, Tier.Free));
    return this.present(actor, project);
  }

  private async present(actor: Actor, { id }: ProjectSubject): Promise<ProjectNotificationSettingRecord> {
    return presentOfProject(await this.queries.find(actor.id, { type: 'Project', id }));
  }
}
