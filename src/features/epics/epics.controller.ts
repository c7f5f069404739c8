import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller, type GroupSubject } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/unmodified-since.js';
import { EpicAccess } from './epic-access.js';
import { EpicRecord } from './epic.record.js';
import { CreateEpic, FindEpic, ListEpics, UpdateEpic } from './epics.params.js';
import { EpicQueries } from './epics.queries.js';
import { EpicsService } from './epics.service.js';
import { presentEpic, type EpicRow } from './present-epic.js';
import { EpicUpdate } from './update-epic.js';

const READ = { group: Role.Guest, publicRead: true, anyone: true, tier: Tier.Premium } as const;
const CHANGE = { group: Role.Reporter, tier: Tier.Premium } as const;

/** Epics of groups (`planning.md` 3.1). */
@Controller('api/v4/groups/:id/epics')
export class EpicsController {
  constructor(
    private readonly access: EpicAccess,
    private readonly epics: EpicsService,
    private readonly changes: EpicUpdate,
    private readonly queries: EpicQueries,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(READ)
  @ReturnsList(EpicRecord)
  async list(
    @CurrentCaller() caller: Caller,
    @Params() params: ListEpics,
    @Paged() page: Page,
  ): Promise<EpicRecord[]> {
    const rows = await page.load(this.queries.list(caller, params));
    return rows.map((row) => this.show(caller, row));
  }

  @Get(':epic_iid')
  @Access(READ)
  @Returns(EpicRecord)
  async find(@CurrentCaller() caller: Caller, @Params() { epic_iid: iid }: FindEpic): Promise<EpicRecord> {
    return this.present(caller, (await this.access.find(caller, iid)).id);
  }

  @Post()
  @Access(CHANGE)
  @Returns(EpicRecord, 201)
  async create(@CurrentCaller() caller: Caller, @Params() params: CreateEpic): Promise<EpicRecord> {
    return this.present(caller, await this.epics.create(caller, params));
  }

  @Put(':epic_iid')
  @Access(CHANGE)
  @Returns(EpicRecord)
  async update(@CurrentCaller() caller: Caller, @Params() params: UpdateEpic): Promise<EpicRecord> {
    const epic = await this.access.find(caller, params.epic_iid);
    await this.changes.update(caller, epic, params);
    return this.present(caller, epic.id);
  }

  @Delete(':epic_iid')
  @Access({ group: Role.Owner, tier: Tier.Premium })
  @ReturnsNothing()
  async remove(
    @CurrentCaller() caller: Caller,
    @Params() { epic_iid: iid }: FindEpic,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.epics.remove((await this.access.find(caller, iid)).id, unmodified);
  }

  private async present(caller: Caller, id: number): Promise<EpicRecord> {
    return this.show(caller, await this.queries.find(id, caller.actor?.id ?? null));
  }

  private show({ subject, role }: Caller, row: EpicRow): EpicRecord {
    const view = { viewedFrom: (subject as GroupSubject).fullPath, mayChange: role >= Role.Reporter };
    return presentEpic(row, view, this.links);
  }
}

/** The same where clients write `/-/` before them. */
@Controller('api/v4/groups/:id/-/epics')
export class EpicAliasesController extends EpicsController {}
