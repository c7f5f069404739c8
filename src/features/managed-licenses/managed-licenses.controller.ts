import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Deprecated } from '#kernel/http/answers/deprecation.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ManagedLicenseRecord } from './managed-license.record.js';
import {
  CreateManagedLicenseParams,
  FindManagedLicenseParams,
  statusOf,
  UpdateManagedLicenseParams,
} from './managed-licenses.params.js';
import { ManagedLicensesQueries } from './managed-licenses.queries.js';
import { ManagedLicensesService } from './managed-licenses.service.js';

/** Deprecated for v5 in favour of approval policies (`api-v4.md` 9). */
const GOING = { since: '2023-02-22', sunset: '2028-05-22' };

/** Software licenses that a project allows or denies. */
@Controller('api/v4/projects/:id/managed_licenses')
export class ManagedLicensesController {
  constructor(
    private readonly licenses: ManagedLicensesService,
    private readonly queries: ManagedLicensesQueries,
  ) {}

  @Get()
  @Access({ project: Role.Reporter, tier: Tier.Premium })
  @Deprecated(GOING)
  @ReturnsList(ManagedLicenseRecord)
  list(@CurrentProject() { id }: ProjectSubject, @Paged() page: Page): Promise<ManagedLicenseRecord[]> {
    return page.load(this.queries.list(id));
  }

  @Get(':managed_license_id')
  @Access({ project: Role.Reporter, tier: Tier.Premium })
  @Deprecated(GOING)
  @Returns(ManagedLicenseRecord)
  find(
    @CurrentProject() project: ProjectSubject,
    @Params() { managed_license_id: idOrName }: FindManagedLicenseParams,
  ): Promise<ManagedLicenseRecord> {
    return this.present(project, idOrName);
  }

  @Post()
  @Access({ project: Role.Maintainer, tier: Tier.Premium })
  @Deprecated(GOING)
  @Returns(ManagedLicenseRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @Params() { name, approval_status: status }: CreateManagedLicenseParams,
  ): Promise<ManagedLicenseRecord> {
    return this.present(project, String(await this.licenses.create(project.id, name, statusOf(status))));
  }

  @Patch(':managed_license_id')
  @Access({ project: Role.Maintainer, tier: Tier.Premium })
  @Deprecated(GOING)
  @Returns(ManagedLicenseRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @Params() { managed_license_id: idOrName, approval_status: status }: UpdateManagedLicenseParams,
  ): Promise<ManagedLicenseRecord> {
    await this.licenses.update(project.id, idOrName, statusOf(status));
    return this.present(project, idOrName);
  }

  @Delete(':managed_license_id')
  @Access({ project: Role.Maintainer, tier: Tier.Premium })
  @Deprecated(GOING)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @Params() { managed_license_id: idOrName }: FindManagedLicenseParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.licenses.remove(project.id, idOrName, unmodified);
  }

  private async present({ id }: ProjectSubject, idOrName: string): Promise<ManagedLicenseRecord> {
    const found = await this.queries.find(id, idOrName);
    if (!found) throw notFound('Managed License');
    return found;
  }
}
