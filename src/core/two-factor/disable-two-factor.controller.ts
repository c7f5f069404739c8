import { Controller, Patch } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { BadRequest, Forbidden } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsNothing } from '#kernel/http/returns.js';
import { UserId } from '#core/users/changes/user-params.js';
import { ChangeTwoFactor } from './change-two-factor.js';

/** For users who have lost both phone and recovery codes. */
@Controller('api/v4/users/:id')
export class DisableTwoFactorController {
  constructor(private readonly changes: ChangeTwoFactor) {}

  /** One's own is switched off on the page that asks for the password: a stolen token does not suffice. */
  @Patch('disable_two_factor')
  @Access({ admin: true })
  @ReturnsNothing()
  async disable(@CurrentActor() actor: Actor, @Params() { id }: UserId): Promise<void> {
    if (id === actor.id) throw Forbidden('Your own two-factor authentication cannot be disabled by the API');
    if (!(await this.changes.disable(actor, id)))
      throw BadRequest('400 Bad request - Two-factor authentication is not enabled for this user');
  }
}
