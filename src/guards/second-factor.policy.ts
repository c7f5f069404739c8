import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { SECOND_FACTOR_DUE } from '#core/sign-in/first-steps.js';
import { twoFactorDuty } from '#core/two-factor/two-factor-duty.js';
import { TwoFactorStateService } from '#core/users/sign-ins/two-factor-state.service.js';
import type { AccessRow } from './access/access-statement.js';

/**
 * Enforces the second factor that the instance or one of the user's groups requires, for callers with a
 * session.
 */
@Injectable()
export class SecondFactorPolicy {
  constructor(
    private readonly settings: SettingsService,
    private readonly state: TwoFactorStateService,
  ) {}

  /**
   * Returns the caller with the deadline, or, once it has passed, with an account state that allows nothing
   * else.
   */
  judge(caller: Caller, row: AccessRow): Caller {
    if (!caller.owner) return caller;
    const facts = {
      enabled: row.o_two_factor_enabled === true,
      graceStartedAt: row.o_two_factor_grace_started_at ?? null,
      dueToGroupAt: row.o_due_to_group_at ?? null,
    };
    const duty = twoFactorDuty(facts, this.settings.values);
    if (!duty) return caller;
    if (duty.isNew) this.state.startGrace(caller.owner.id);
    const owing = { ...caller, secondFactorDueAt: duty.dueAt };
    if (!duty.isDue) return owing;
    return { ...owing, owner: shut(caller.owner), actor: caller.actor && shut(caller.actor) };
  }
}

/** Blocked accounts and expired passwords take precedence, and are reported as such. */
const shut = (user: Actor): Actor => (user.state === 'active' ? { ...user, state: SECOND_FACTOR_DUE } : user);
