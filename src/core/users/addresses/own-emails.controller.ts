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
import { NewUserEmailParams, UserEmailIdParams } from './user-emails.params.js';
import { UserEmailsService } from './user-emails.service.js';
import { UsersQueries } from '../lists/users.queries.js';

/** Secondary email addresses of the signed-in user. */
@Controller('api/v4/user/emails')
export class OwnEmailsController {
  constructor(
    private readonly emails: UserEmailsService,
    private readonly users: UsersQueries,
  ) {}

  @Get()
  @Access({ user: true, scopes: ['read_user'] })
  @ReturnsList(UserEmailRecord)
  async list(@CurrentActor() actor: Actor, @Paged() page: Page): Promise<UserEmailRecord[]> {
    return (await page.load(this.emails.list(actor.id))).map(presentUserEmail);
  }

  @Get(':email_id')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(UserEmailRecord)
  async find(
    @CurrentActor() actor: Actor,
    @Params() { email_id: emailId }: UserEmailIdParams,
  ): Promise<UserEmailRecord> {
    return presentUserEmail(await this.emails.find(actor.id, emailId));
  }

  @Post()
  @Access({ user: true, makesCredential: true })
  @Returns(UserEmailRecord, 201)
  async add(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() { email }: NewUserEmailParams,
  ): Promise<UserEmailRecord> {
    assertHoldsUser(credential, await this.users.find(actor.id, null));
    return presentUserEmail(await this.emails.add(actor, actor.id, email, false));
  }

  @Delete(':email_id')
  @Access({ user: true })
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { email_id: emailId }: UserEmailIdParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.emails.remove(actor, actor.id, emailId, unmodified);
  }
}
