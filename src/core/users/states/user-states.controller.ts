import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { MessageRecord } from '#kernel/http/message.record.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { ChangeUserState } from './change-user-state.use-case.js';
import { UserIdParams } from '../changes/users.params.js';
import type { StateAction } from './user-states.js';

/** States of accounts: responds with `true`, or `null` if the account already had the state. */
@Controller('api/v4/users/:id')
export class UserStatesController {
  constructor(private readonly states: ChangeUserState) {}

  @Post('block')
  @Access({ admin: true })
  @ReturnsNothing(201)
  async block(@CurrentActor() actor: Actor, @Params() { id }: UserIdParams): Promise<true | null> {
    return this.change(actor, id, 'block');
  }

  @Post('unblock')
  @Access({ admin: true })
  @ReturnsNothing(201)
  async unblock(@CurrentActor() actor: Actor, @Params() { id }: UserIdParams): Promise<true | null> {
    return this.change(actor, id, 'unblock');
  }

  @Post('deactivate')
  @Access({ admin: true })
  @ReturnsNothing(201)
  async deactivate(@CurrentActor() actor: Actor, @Params() { id }: UserIdParams): Promise<true | null> {
    return this.change(actor, id, 'deactivate');
  }

  @Post('activate')
  @Access({ admin: true })
  @ReturnsNothing(201)
  async activate(@CurrentActor() actor: Actor, @Params() { id }: UserIdParams): Promise<true | null> {
    return this.change(actor, id, 'activate');
  }

  @Post('ban')
  @Access({ admin: true })
  @ReturnsNothing(201)
  async ban(@CurrentActor() actor: Actor, @Params() { id }: UserIdParams): Promise<true | null> {
    return this.change(actor, id, 'ban');
  }

  @Post('unban')
  @Access({ admin: true })
  @ReturnsNothing(201)
  async unban(@CurrentActor() actor: Actor, @Params() { id }: UserIdParams): Promise<true | null> {
    return this.change(actor, id, 'unban');
  }

  @Post('approve')
  @Access({ admin: true })
  @Returns(MessageRecord, 201)
  @Refuses({ 409: 'The account is not pending approval' })
  async approve(@CurrentActor() actor: Actor, @Params() { id }: UserIdParams): Promise<MessageRecord> {
    await this.change(actor, id, 'approve');
    return { message: 'Success' };
  }

  @Post('reject')
  @Access({ admin: true })
  @Returns(MessageRecord, 201)
  @Refuses({ 409: 'The account is not pending approval' })
  async reject(@CurrentActor() actor: Actor, @Params() { id }: UserIdParams): Promise<MessageRecord> {
    await this.change(actor, id, 'reject');
    return { message: 'Success' };
  }

  private async change(actor: Actor, id: number, action: StateAction): Promise<true | null> {
    return (await this.states.run(actor, id, action)) ? true : null;
  }
}
