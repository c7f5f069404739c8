import { Controller, Delete, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { PACKAGE_READ, PACKAGE_REMOVE, refuseOauth } from './package-access.js';
import { PackageFileRecord, presentPackageFile } from './package-file.record.js';
import { PackageDetailRecord, PackageRecord, presentPackage, presentVersion } from './package.record.js';
import { FindPackageParams, FindPackageFileParams, ListPackagesParams } from './packages.params.js';
import { PackagesQueries } from './packages.queries.js';
import { PackagesService } from './packages.service.js';

/** Packages of a project (`decisions.md` 3). */
@Controller('api/v4/projects/:id/packages')
export class PackagesController {
  constructor(
    private readonly packages: PackagesService,
    private readonly queries: PackagesQueries,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(PACKAGE_READ)
  @ReturnsList(PackageRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListPackagesParams,
    @Paged() page: Page,
  ): Promise<PackageRecord[]> {
    refuseOauth(caller);
    const rows = await page.load(this.queries.list(project.id, params));
    return rows.map((row) => presentPackage(row, project.fullPath, this.links));
  }

  @Get(':package_id')
  @Access(PACKAGE_READ)
  @Returns(PackageDetailRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { package_id: id }: FindPackageParams,
  ): Promise<PackageDetailRecord> {
    refuseOauth(caller);
    const row = await this.queries.find(project.id, id);
    if (!row) throw notFound('Package');
    const versions = (await this.queries.otherVersions(row)).map(presentVersion);
    return Object.assign(presentPackage(row, project.fullPath, this.links), { versions });
  }

  @Get(':package_id/package_files')
  @Access(PACKAGE_READ)
  @ReturnsList(PackageFileRecord)
  async files(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { package_id: id }: FindPackageParams,
    @Paged() page: Page,
  ): Promise<PackageFileRecord[]> {
    refuseOauth(caller);
    if (!(await this.queries.find(project.id, id))) throw notFound('Package');
    return (await page.load(this.queries.files(id))).map(presentPackageFile);
  }

  @Delete(':package_id')
  @Access(PACKAGE_REMOVE)
  @ReturnsNothing()
  async remove(
    @CurrentProject() { id: projectId }: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { package_id: id }: FindPackageParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    refuseOauth(caller);
    await this.packages.remove(projectId, id, unmodified);
  }

  @Delete(':package_id/package_files/:package_file_id')
  @Access(PACKAGE_REMOVE)
  @ReturnsNothing()
  async removeFile(
    @CurrentProject() { id: projectId }: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { package_id: id, package_file_id: fileId }: FindPackageFileParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    refuseOauth(caller);
    await this.packages.removeFile(projectId, id, fileId, unmodified);
  }
}
