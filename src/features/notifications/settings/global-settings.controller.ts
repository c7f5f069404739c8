import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentCaller, type Actor, type Caller } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { changeOf } from './change-of.js';
import { GlobalNotificationSettingRecord, presentOfGroup } from './notification-setting.record.js';
import { ChangeOfAllParams } from './notification-settings.params.js';
import { NotificationSettingsQueries } from './notification-settings.queries.js';
import { NotificationSettingsService } from './notification-settings.service.js';

/** The caller's global notification setting (`api-v4.md` 4.9). */
@Controller('api/v4/notification_settings')
export class GlobalSettingsController {
  constructor(
    private readonly settings: NotificationSettingsService,
    private readonly queries: NotificationSettingsQueries,
  ) {}

  @Get()
  @Access({ user: true })
  @Returns(GlobalNotificationSettingRecord)
  find(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
  ): Promise<GlobalNotificationSettingRecord> {
    return this.present(caller, actor);
  }

  @Put()
  @Access({ user: true })
  @Returns(GlobalNotificationSettingRecord)
  async change(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Params() { notification_email: email, ...params }: ChangeOfAllParams,
  ): Promise<GlobalNotificationSettingRecord> {
    await this.settings.change(actor.id, null, { ...changeOf(params, caller.tier), email });
    return this.present(caller, actor);
  }

  private async present({ tier }: Caller, { id }: Actor): Promise<GlobalNotificationSettingRecord> {
    const setting = await this.queries.global(id);
    const { level, ...events } = presentOfGroup(setting, tier);
    return { level, notification_email: setting.email, ...events };
  }
}
