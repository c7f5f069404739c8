import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentCaller, type Actor, type Caller } from '#kernel/access/caller.js';
import { seesRegistrationTokens } from '#kernel/access/credential-bounds.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { ChangeSettings } from './change-settings.use-case.js';
import { RegistrationTokenService } from './registration-token.service.js';
import { ChangeSettingsParams, presentSettings, SettingsRecord } from './settings.record.js';
import { SettingsService } from './settings.service.js';

/** Settings of the instance. */
@Controller('api/v4/application/settings')
export class SettingsController {
  constructor(
    private readonly settings: SettingsService,
    private readonly change: ChangeSettings,
    private readonly registrationToken: RegistrationTokenService,
  ) {}

  @Get()
  @Access({ admin: true })
  @Returns(SettingsRecord)
  async find(@CurrentCaller() { credential }: Caller): Promise<SettingsRecord> {
    const token = seesRegistrationTokens(credential) ? await this.registrationToken.current() : null;
    return presentSettings(this.settings.current, token);
  }

  @Put()
  @Access({ admin: true })
  @Returns(SettingsRecord)
  async update(
    @CurrentActor() actor: Actor,
    @CurrentCaller() caller: Caller,
    @Params() params: ChangeSettingsParams,
  ): Promise<SettingsRecord> {
    await this.change.run(actor, params);
    return this.find(caller);
  }
}
