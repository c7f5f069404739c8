import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type GroupCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import { DescriptionCommandsService } from '#core/quick-actions/description-commands.service.js';
import { EpicFinder } from './visibility/epic.finder.js';
import { EpicNoteableContribution } from './visibility/epic-noteable.contribution.js';
import { EpicPresenter } from './records/epic.presenter.js';
import { EpicRecord } from './records/epic.record.js';
import { CreateEpicParams, FindEpicParams, ListEpicsParams, UpdateEpicParams } from './epics.params.js';
import { EpicsQueries } from './epics.queries.js';
import { EpicsService } from './epics.service.js';
import { UpdateEpic } from './update-epic.use-case.js';

const READ = { group: Role.Guest, publicRead: true, anyone: true, tier: Tier.Premium } as const;
const CHANGE = { group: Role.Reporter, tier: Tier.Premium } as const;

/** Epics of groups (`planning.md` 3.1). */
@Controller('api/v4/groups/:id/epics')
export class EpicsController {
  constructor(
    private readonly access: EpicFinder,
    private readonly epics: EpicsService,
    private readonly changes: UpdateEpic,
    private readonly queries: EpicsQueries,
    private readonly views: EpicPresenter,
    private readonly commands: DescriptionCommandsService,
    private readonly source: EpicNoteableContribution,
  ) {}

  @Get()
  @Access(READ)
  @ReturnsList(EpicRecord)
  async list(
    @CurrentCaller() caller: GroupCaller,
    @Params() params: ListEpicsParams,
    @Paged() page: Page,
  ): Promise<EpicRecord[]> {
    return this.views.present(caller, await page.load(this.queries.list(caller, params)));
  }

  @Get(':epic_iid')
  @Access(READ)
  @Returns(EpicRecord)
  async find(
    @CurrentCaller() caller: GroupCaller,
    @Params() { epic_iid: iid }: FindEpicParams,
  ): Promise<EpicRecord> {
    return this.views.find(caller, (await this.access.find(caller, iid)).id);
  }

  @Post()
  @Refuses({ 409: 'It cannot be a child of the parent' })
  @Access(CHANGE)
  @Returns(EpicRecord, 201)
  async create(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() params: CreateEpicParams,
  ): Promise<EpicRecord> {
    const { id: groupId } = caller.subject;
    await this.epics.admit(caller);
    const container = { type: 'Epic', projectId: null, groupId } as const;
    const find = (id: number): Promise<Noteable> => this.source.find(caller, id);
    const create = (wanted: CreateEpicParams): Promise<number> => this.epics.create(caller, wanted);
    return this.views.find(
      caller,
      await this.commands.create(caller, { ...container, find }, params, create),
    );
  }

  @Put(':epic_iid')
  @Refuses({ 409: 'It cannot be a child of the parent' })
  @Access(CHANGE)
  @Returns(EpicRecord)
  async update(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() params: UpdateEpicParams,
  ): Promise<EpicRecord> {
    const epic = await this.access.find(caller, params.epic_iid);
    const update = (wanted: UpdateEpicParams): Promise<void> => this.changes.run(caller, epic, wanted);
    await this.commands.update(caller, params, update, () => this.source.find(caller, epic.id));
    return this.views.find(caller, epic.id);
  }

  @Delete(':epic_iid')
  @Access({ group: Role.Owner, tier: Tier.Premium })
  @ReturnsNothing()
  async remove(
    @CurrentCaller() caller: GroupCaller,
    @Params() { epic_iid: iid }: FindEpicParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.epics.remove((await this.access.find(caller, iid)).id, unmodified);
  }
}

/** The same epics where clients write `/-/` before them. */
@Controller('api/v4/groups/:id/-/epics')
export class EpicAliasesController extends EpicsController {}
