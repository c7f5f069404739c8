import { Controller, Get, Patch, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentProject, type Actor, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { ErrorTrackingSettingRecord, presentErrorTrackingSetting } from './error-tracking-setting.record.js';
import {
  PatchErrorTrackingSettingsParams,
  PutErrorTrackingSettingsParams,
} from './error-tracking-settings.params.js';
import { ErrorTrackingSettingsService } from './error-tracking-settings.service.js';

/** Settings of error tracking (`api-v4.md` 4.6). */
@Controller('api/v4/projects/:id/error_tracking/settings')
export class ErrorTrackingSettingsController {
  constructor(private readonly settings: ErrorTrackingSettingsService) {}

  @Get()
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(ErrorTrackingSettingRecord)
  find(@CurrentProject() { id }: ProjectSubject): Promise<ErrorTrackingSettingRecord> {
    return this.present(id);
  }

  @Put()
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(ErrorTrackingSettingRecord)
  async put(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() params: PutErrorTrackingSettingsParams,
  ): Promise<ErrorTrackingSettingRecord> {
    await this.settings.put(project, actor, params);
    return this.present(project.id);
  }

  @Patch()
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(ErrorTrackingSettingRecord)
  async change(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() params: PatchErrorTrackingSettingsParams,
  ): Promise<ErrorTrackingSettingRecord> {
    await this.settings.change(project, actor, params);
    return this.present(project.id);
  }

  private async present(projectId: number): Promise<ErrorTrackingSettingRecord> {
    return presentErrorTrackingSetting(await this.settings.get(projectId));
  }
}
