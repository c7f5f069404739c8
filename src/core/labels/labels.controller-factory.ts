import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import { Access, type AccessRule, type UserRule } from '#kernel/access/access.js';
import { type Caller, type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import type { FieldClass } from '#kernel/http/fields/field-spec.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { named } from '#kernel/http/routes/named.js';
import { requireChange } from '#kernel/http/fields/require-change.js';
import type { GroupLabelRecord, LabelRow } from './label.record.js';
import { LabelSubscriptionsService } from './links/label-subscriptions.service.js';
import {
  CreateLabelParams,
  FindLabelParams,
  ListLabelsParams,
  NameLabelParams,
  UpdateLabelParams,
  UpdateNamedLabelParams,
  type LabelChangesParams,
} from './labels.params.js';
import { LabelsQueries } from './labels.queries.js';
import { LabelsService } from './labels.service.js';
import { planningContainer, writableContainer } from './reach/planning-access.js';

/** Differences between the label routes of projects and groups. */
interface LabelRoutes<R extends GroupLabelRecord> {
  /** Path of the owners. */
  readonly path: string;
  readonly read: AccessRule;
  readonly write: UserRule;
  readonly subscribe: UserRule;
  readonly record: FieldClass<R>;
  readonly present: (row: LabelRow) => R;
}

/**
 * Creates the labels controller of one type of owner, all of which have the same routes. `name`: name of the
 * class.
 */
export function labelsController<R extends GroupLabelRecord>(
  name: string,
  { path, read, write, subscribe, record, present }: LabelRoutes<R>,
): Type {
  @Controller(path)
  class LabelsController {
    constructor(
      private readonly labels: LabelsService,
      private readonly queries: LabelsQueries,
      private readonly subscriptions: LabelSubscriptionsService,
    ) {}

    @Get(':id/labels')
    @Access(read)
    @ReturnsList(record)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() params: ListLabelsParams,
      @Paged() page: Page,
    ): Promise<R[]> {
      planningContainer(caller);
      return (await page.load(this.queries.list(caller, params))).map(present);
    }

    @Post(':id/labels')
    @Refuses({ 409: 'A label with this name already exists' })
    @Access(write)
    @Returns(record, 201)
    async create(@CurrentCaller() caller: Caller, @Params() params: CreateLabelParams): Promise<R> {
      const id = await this.labels.create(writableContainer(caller), params);
      return present(await this.queries.find(caller, id));
    }

    @Get(':id/labels/:label_id')
    @Access(read)
    @Returns(record)
    async find(
      @CurrentCaller() caller: Caller,
      @Params() { label_id: id, include_ancestor_groups: withAncestors }: FindLabelParams,
    ): Promise<R> {
      planningContainer(caller);
      return present(await this.queries.find(caller, id, withAncestors));
    }

    @Put(':id/labels/:label_id')
    @Access(write)
    @Returns(record)
    update(
      @CurrentCaller() caller: Caller,
      @Params() { label_id: label, ...changes }: UpdateLabelParams,
    ): Promise<R> {
      return this.change(caller, label, changes);
    }

    /** The former route. */
    @Put(':id/labels')
    @Access(write)
    @Returns(record)
    updateNamed(
      @CurrentCaller() caller: Caller,
      @Params() { name: label, label_id: id, ...changes }: UpdateNamedLabelParams,
    ): Promise<R> {
      return this.change(caller, id ?? label ?? '', changes);
    }

    @Delete(':id/labels/:label_id')
    @Access(write)
    @ReturnsNothing()
    remove(
      @CurrentCaller() caller: Caller,
      @Params() { label_id: label }: FindLabelParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      return this.removeOne(caller, label, unmodified);
    }

    /** The former route. */
    @Delete(':id/labels')
    @Access(write)
    @ReturnsNothing()
    removeNamed(
      @CurrentCaller() caller: Caller,
      @Params() { name: label, label_id: id }: NameLabelParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      return this.removeOne(caller, id ?? label ?? '', unmodified);
    }

    @Post(':id/labels/:label_id/subscribe')
    @Refuses({ 304: 'Was subscribed before' })
    @Access(subscribe)
    @Returns(record, 201)
    subscribe(@CurrentCaller() caller: UserCaller, @Params() params: FindLabelParams): Promise<R> {
      return this.say('subscribe', caller, params);
    }

    @Post(':id/labels/:label_id/unsubscribe')
    @Refuses({ 304: 'Was not subscribed' })
    @Access(subscribe)
    @Returns(record, 201)
    unsubscribe(@CurrentCaller() caller: UserCaller, @Params() params: FindLabelParams): Promise<R> {
      return this.say('unsubscribe', caller, params);
    }

    private async change(caller: Caller, label: string, changes: LabelChangesParams): Promise<R> {
      const container = writableContainer(caller);
      requireChange(changes);
      const { id } = await this.queries.find(caller, label);
      await this.labels.update(container, id, changes);
      return present(await this.queries.find(caller, id));
    }

    private async removeOne(caller: Caller, label: string, unmodified: UnmodifiedCheck): Promise<void> {
      const container = writableContainer(caller);
      const { id } = await this.queries.find(caller, label, false);
      await this.labels.remove(container, id, unmodified);
    }

    private async say(
      what: 'subscribe' | 'unsubscribe',
      caller: UserCaller,
      { label_id: label }: FindLabelParams,
    ): Promise<R> {
      const { id } = await this.queries.find(caller, label);
      await this.subscriptions.say(what, planningContainer(caller), caller.actor.id, id);
      return present(await this.queries.find(caller, id));
    }
  }

  return named(LabelsController, name);
}
