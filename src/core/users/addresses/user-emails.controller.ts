import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentCaller, type Actor, type Caller } from '#kernel/access/caller.js';
import { assertHoldsUser } from '#kernel/access/credential-bounds.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { presentUserEmail, UserEmailRecord } from './user-email.record.js';
import { EmailOfUserParams, NewEmailOfUserParams } from './user-emails.params.js';
import { UserEmailsService } from './user-emails.service.js';
import { UserIdParams } from '../changes/users.params.js';
import { UsersQueries } from '../lists/users.queries.js';

/** Secondary email addresses of any user, for administrators. */
@Controller('api/v4/users/:id/emails')
export class UserEmailsController {
  constructor(
    private readonly emails: UserEmailsService,
    private readonly users: UsersQueries,
  ) {}

  @Get()
  @Access({ admin: true, scopes: ['read_user'] })
  @ReturnsList(UserEmailRecord)
  async list(@Params() { id }: UserIdParams, @Paged() page: Page): Promise<UserEmailRecord[]> {
    const user = await this.users.find(id, null);
    return (await page.load(this.emails.list(user.id))).map(presentUserEmail);
  }

  @Get(':email_id')
  @Access({ admin: true, scopes: ['read_user'] })
  @Returns(UserEmailRecord)
  async find(@Params() { id, email_id: emailId }: EmailOfUserParams): Promise<UserEmailRecord> {
    await this.users.find(id, null);
    return presentUserEmail(await this.emails.find(id, emailId));
  }

  @Post()
  @Access({ admin: true, makesCredential: true })
  @Returns(UserEmailRecord, 201)
  async add(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() params: NewEmailOfUserParams,
  ): Promise<UserEmailRecord> {
    assertHoldsUser(credential, await this.users.find(params.id, null));
    return presentUserEmail(
      await this.emails.add(actor, params.id, params.email, params.skip_confirmation ?? false),
    );
  }

  @Delete(':email_id')
  @Access({ admin: true })
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { id, email_id: emailId }: EmailOfUserParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.emails.remove(actor, id, emailId, unmodified);
  }
}
