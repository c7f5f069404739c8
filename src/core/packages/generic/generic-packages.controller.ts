import { Controller, Get, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import { Params } from '#kernel/http/fields/params.js';
import { LongRunning } from '#kernel/http/routes/long-running.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns, ReturnsFile } from '#kernel/http/answers/returns.js';
import { ObjectAnswers } from '#kernel/object-storage/object-answers.js';
import { ObjectNotFound } from '#kernel/object-storage/object-storage.js';
import { PACKAGE_READ, PACKAGE_WRITE, refuseOauth } from '../package-access.js';
import { presentPackageFile } from '../package-file.record.js';
import { PackagesQueries } from '../packages.queries.js';
import { FindGenericFileParams, PublishGenericFileParams } from './generic-packages.params.js';
import { GenericUploadRecord } from './generic-upload.record.js';
import { GenericUploadsService } from './generic-uploads.service.js';

/** Files of generic packages, by name (`decisions.md` 3). */
@Controller('api/v4/projects/:id/packages/generic/:package_name/:package_version/:file_name')
export class GenericPackagesController {
  constructor(
    private readonly uploads: GenericUploadsService,
    private readonly queries: PackagesQueries,
    private readonly objects: ObjectAnswers,
  ) {}

  @Put()
  @RawBody()
  @LongRunning()
  @Access({ ...PACKAGE_WRITE, lasting: true })
  @Returns(GenericUploadRecord, 201)
  async publish(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: PublishGenericFileParams,
    @Req() request: ApiRequest,
  ): Promise<GenericUploadRecord> {
    refuseOauth(caller);
    const file = await this.uploads.publish(request, project, caller, params);
    return params.select === undefined ? { message: '201 Created' } : presentPackageFile(file);
  }

  @Get()
  @LongRunning()
  @Access(PACKAGE_READ)
  @ReturnsFile('The last file published under these names; with `Range`, a part of it', {
    isRanged: true,
    mayRedirect: true,
  })
  async download(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { package_name: name, package_version: version, file_name: file }: FindGenericFileParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    refuseOauth(caller);
    const found = await this.queries.newestFile(project.id, name, version, file);
    if (!found) throw notFound('Package File');
    const { object_key: key, size, sha256, modified_at: modifiedAt } = found;
    const stored = { key, name: file, type: 'application/octet-stream', size, sha256, modifiedAt };
    return this.objects.send(request, response, stored, { mayRedirect: true }).catch(asNotFound);
  }
}

function asNotFound(error: unknown): never {
  throw error instanceof ObjectNotFound ? notFound('Package File') : error;
}
