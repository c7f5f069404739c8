import { Controller, Inject, Post, Res, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import type { FieldClass } from '#kernel/http/fields/field-spec.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import type { Noteable } from '../noteables/noteable.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';
import { NoteableRef, type NoteableRoutes } from '../noteables/noteable-routes.js';
import { ChangeSubscription } from './change-subscription.use-case.js';

/** Presents a noteable that the caller may read. */
export interface PresentsNoteable<R extends object> {
  presentNoteable(caller: Caller, noteable: Noteable): Promise<R>;
}

/** Differences between the subscription routes of types of noteables. */
export interface SubscriptionRoutes<R extends object> extends NoteableRoutes {
  readonly type: 'Issue' | 'MergeRequest' | 'Epic';
  readonly record: FieldClass<R>;
  /** A provider of the module of the controller. */
  readonly presenter: Type<PresentsNoteable<R>>;
}

/** Creates the controller for subscribing and unsubscribing: 201 with the object, 304 if nothing changes. */
export function subscriptionController<R extends object>(
  name: string,
  { type, path, param, access, record, presenter }: SubscriptionRoutes<R>,
): Type {
  class NoteableParams {
    @NoteableRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}`)
  class SubscriptionController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly subscriptions: ChangeSubscription,
      @Inject(presenter) private readonly presenter: PresentsNoteable<R>,
    ) {}

    @Post('subscribe')
    @Refuses({ 304: 'Was subscribed before' })
    @Access(access)
    @Returns(record, 201)
    subscribe(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref }: NoteableParams,
      @Res({ passthrough: true }) response: Response,
    ): Promise<R | undefined> {
      return this.say('subscribe', caller, ref, response);
    }

    @Post('unsubscribe')
    @Refuses({ 304: 'Was not subscribed' })
    @Access(access)
    @Returns(record, 201)
    unsubscribe(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref }: NoteableParams,
      @Res({ passthrough: true }) response: Response,
    ): Promise<R | undefined> {
      return this.say('unsubscribe', caller, ref, response);
    }

    private async say(
      what: 'subscribe' | 'unsubscribe',
      caller: UserCaller,
      ref: number,
      response: Response,
    ): Promise<R | undefined> {
      const noteable = await this.noteables.of(type).find(caller, ref);
      if (!(await this.subscriptions.run(what, caller.actor.id, type, noteable))) response.status(304);
      return this.presenter.presentNoteable(caller, noteable);
    }
  }
  return named(SubscriptionController, name);
}
