import { Controller, Patch } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentCaller, type Actor, type UserCaller } from '#kernel/access/caller.js';
import { assertHoldsUser } from '#kernel/access/credential-bounds.js';
import { badRequest, forbidden } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsNothing } from '#kernel/http/answers/returns.js';
import { UserIdParams } from '#core/users/changes/users.params.js';
import { UsersQueries } from '#core/users/lists/users.queries.js';
import { TwoFactorChangesService } from './two-factor-changes.service.js';

/** Disables second factors of users who have lost both phone and recovery codes. */
@Controller('api/v4/users/:id')
export class DisableTwoFactorController {
  constructor(
    private readonly changes: TwoFactorChangesService,
    private readonly users: UsersQueries,
  ) {}

  /** Users disable their own on a page that asks for the password: a stolen token does not suffice, nor under sudo. */
  @Patch('disable_two_factor')
  @Access({ admin: true, makesCredential: true })
  @ReturnsNothing()
  async disable(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential, owner }: UserCaller,
    @Params() { id }: UserIdParams,
  ): Promise<void> {
    if (id === actor.id || id === owner.id)
      throw forbidden('Your own two-factor authentication cannot be disabled by the API');
    assertHoldsUser(credential, await this.users.find(id, null));
    if (!(await this.changes.disable(actor, id)))
      throw badRequest('400 Bad request - Two-factor authentication is not enabled for this user');
  }
}
