import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type GroupCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { EpicFinder } from '../visibility/epic.finder.js';
import { EpicPresenter } from '../records/epic.presenter.js';
import { EpicRecord } from '../records/epic.record.js';
import { FindEpicParams } from '../epics.params.js';
import { EpicsService } from '../epics.service.js';
import { CreateEpicChildParams, FindEpicChildParams, MoveEpicChildParams } from './epic-children.params.js';
import { EpicChildrenQueries } from './epic-children.queries.js';
import { EpicChildrenService } from './epic-children.service.js';

/** Access for everyone who can see the group; other missing rights have their own errors. */
const CHILDREN = { group: Role.Guest, publicRead: true, tier: Tier.Ultimate } as const;

/** The children of an epic, and their order. */
@Controller('api/v4/groups/:id/epics/:epic_iid/epics')
export class EpicChildrenController {
  constructor(
    private readonly access: EpicFinder,
    private readonly epics: EpicsService,
    private readonly children: EpicChildrenService,
    private readonly queries: EpicChildrenQueries,
    private readonly views: EpicPresenter,
  ) {}

  @Get()
  @Access({ ...CHILDREN, anyone: true })
  @ReturnsList(EpicRecord)
  async list(
    @CurrentCaller() caller: GroupCaller,
    @Params() { epic_iid: iid }: FindEpicParams,
    @Paged() page: Page,
  ): Promise<EpicRecord[]> {
    const { id } = await this.access.find(caller, iid);
    return this.views.present(caller, await page.load(this.queries.list(caller, id)));
  }

  @Post()
  @Refuses({ 409: 'The tree does not allow it' })
  @Access({ group: Role.Reporter, tier: Tier.Ultimate })
  @Returns(EpicRecord, 201)
  async create(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() params: CreateEpicChildParams,
  ): Promise<EpicRecord> {
    const parent = await this.access.find(caller, params.epic_iid);
    const { title, confidential = parent.confidential } = params;
    await this.epics.admit(caller);
    const id = await this.epics.create(caller, { title, confidential, parent_id: parent.id });
    return this.views.find(caller, id);
  }

  @Post(':child_epic_id')
  @Refuses({ 409: 'It is a child already, or the tree does not allow it' })
  @Access(CHILDREN)
  @Returns(EpicRecord, 201)
  async add(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() { epic_iid: iid, child_epic_id: id }: FindEpicChildParams,
  ): Promise<EpicRecord> {
    await this.children.add(caller, await this.access.findToFill(caller, iid), id);
    return this.views.find(caller, id);
  }

  @Put(':child_epic_id')
  @Access(CHILDREN)
  @ReturnsList(EpicRecord)
  async move(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() params: MoveEpicChildParams,
    @Paged() page: Page,
  ): Promise<EpicRecord[]> {
    const parent = await this.access.findToFill(caller, params.epic_iid);
    const { child_epic_id: id, move_before_id: before, move_after_id: after } = params;
    await this.children.move(caller, parent, id, before ?? null, after ?? null);
    return this.views.present(caller, await page.load(this.queries.list(caller, parent.id)));
  }

  @Delete(':child_epic_id')
  @Access(CHILDREN)
  @Returns(EpicRecord)
  async remove(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() { epic_iid: iid, child_epic_id: id }: FindEpicChildParams,
  ): Promise<EpicRecord> {
    await this.children.remove(caller, await this.access.findToFill(caller, iid), id);
    return this.views.find(caller, id);
  }
}

/** The same children where clients write `/-/` before epics. */
@Controller('api/v4/groups/:id/-/epics/:epic_iid/epics')
export class EpicChildAliasesController extends EpicChildrenController {}
