import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { InstanceChanged } from '#core/instance/settings/instance-changed.event.js';
import { TwoFactorStateService } from '#core/users/sign-ins/two-factor-state.service.js';

/** Restarts the grace periods when administrators begin to require second factors. */
@Injectable()
export class TwoFactorListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly state: TwoFactorStateService,
  ) {}

  onModuleInit(): void {
    this.events.on(InstanceChanged, async ({ change }, tx) => {
      const isSwitchedOn =
        'change' in change && change.change === 'require_two_factor_authentication' && change.to === true;
      if (isSwitchedOn) await this.state.forgetGraces(tx);
    });
  }
}
