import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentCaller,
  CurrentGroup,
  type Actor,
  type Caller,
  type GroupSubject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { changeOf } from './change-of.js';
import { GroupNotificationSettingRecord, presentOfGroup } from './notification-setting.record.js';
import { ChangeOfGroupParams } from './notification-settings.params.js';
import { NotificationSettingsQueries } from './notification-settings.queries.js';
import { NotificationSettingsService } from './notification-settings.service.js';

/** The caller's notification setting for a group and everything below; for callers who can see the group. */
@Controller('api/v4/groups/:id/notification_settings')
export class GroupSettingsController {
  constructor(
    private readonly settings: NotificationSettingsService,
    private readonly queries: NotificationSettingsQueries,
  ) {}

  @Get()
  @Access({ group: Role.Minimal, publicRead: true })
  @Returns(GroupNotificationSettingRecord)
  find(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @CurrentGroup() group: GroupSubject,
  ): Promise<GroupNotificationSettingRecord> {
    return this.present(caller, actor, group);
  }

  @Put()
  @Access({ group: Role.Minimal, publicRead: true })
  @Returns(GroupNotificationSettingRecord)
  async change(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @CurrentGroup() group: GroupSubject,
    @Params() params: ChangeOfGroupParams,
  ): Promise<GroupNotificationSettingRecord> {
    const source = { type: 'Namespace', id: group.id } as const;
    await this.settings.change(actor.id, source, changeOf(params, caller.tier));
    return this.present(caller, actor, group);
  }

  private async present(
    { tier }: Caller,
    actor: Actor,
    { id }: GroupSubject,
  ): Promise<GroupNotificationSettingRecord> {
    return presentOfGroup(await this.queries.find(actor.id, { type: 'Namespace', id }), tier);
  }
}
