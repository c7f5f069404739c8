import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { StatisticsQueries } from '#core/instance/statistics.queries.js';
import { LicenseRecord, presentLicense, presentPlan } from './license.record.js';
import { LicensesQueries } from './licenses.queries.js';
import { LicensesService } from './licenses.service.js';

/** Id of a license. */
export class FindLicenseParams {
  @Id()
  id!: number;
}

/** Parameters of a new license. */
export class AddLicenseParams {
  @Text({
    description:
      'base64 of JSON: `{"plan": "premium", "licensee": {"Name", "Company", "Email"}, "starts_at": "2026-01-01", "expires_at": null, "user_limit": 0}`',
  })
  license!: string;
}

/** Response after users were counted. */
export class SuccessRecord {
  @Flag()
  success!: boolean;
}

/** The plan of the instance and its licenses. */
@Controller('api/v4')
export class LicensesController {
  constructor(
    private readonly licenses: LicensesService,
    private readonly queries: LicensesQueries,
    private readonly statistics: StatisticsQueries,
    private readonly settings: SettingsService,
  ) {}

  @Get('license')
  @Access({ admin: true })
  @Returns(
    LicenseRecord,
    200,
    'The effective license; if none was added, one that represents the plan of the instance',
  )
  async current(): Promise<LicenseRecord> {
    const [row, users] = await Promise.all([this.queries.current(), this.statistics.activeUsers()]);
    return row ? presentLicense(row, users) : presentPlan(this.settings.current, users);
  }

  @Get('licenses')
  @Access({ admin: true })
  @ReturnsList(LicenseRecord)
  async list(@Paged() page: Page): Promise<LicenseRecord[]> {
    const rows = await page.load(this.queries.list());
    const users = await this.statistics.activeUsers();
    return rows.map((row) => presentLicense(row, users));
  }

  @Get('license/:id')
  @Access({ admin: true })
  @Returns(LicenseRecord)
  async find(@Params() { id }: FindLicenseParams): Promise<LicenseRecord> {
    const row = await this.queries.find(id);
    if (!row) throw notFound('License');
    return presentLicense(row, await this.statistics.activeUsers());
  }

  @Post('license')
  @Access({ admin: true })
  @Returns(LicenseRecord, 201)
  async add(@CurrentActor() actor: Actor, @Params() { license }: AddLicenseParams): Promise<LicenseRecord> {
    const { id } = await this.licenses.add(actor, license, await this.statistics.activeUsers());
    return this.find({ id });
  }

  @Delete('license/:id')
  @Access({ admin: true })
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { id }: FindLicenseParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.licenses.remove(actor, id, unmodified);
  }

  @Put('license/:id/refresh_billable_users')
  @Access({ admin: true })
  @Returns(SuccessRecord, 202)
  async refreshBillableUsers(@Params() { id }: FindLicenseParams): Promise<SuccessRecord> {
    await this.licenses.refreshBillableUsers(id, await this.statistics.activeUsers());
    return { success: true };
  }
}
