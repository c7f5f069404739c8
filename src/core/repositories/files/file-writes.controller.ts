import { Controller, Delete, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { BRANCH_WRITE } from '../repository-access.js';
import { BranchGuestsPort } from '../protection/branch-guests.port.js';
import { CommitWritingService, type Writer } from '../commits/writes/commit-writing.service.js';
import { ChangedFileRecord } from './file.record.js';
import { RemoveFileParams, WriteFileParams } from './files.params.js';

/** Commits that change a single file. */
@Controller('api/v4/projects/:id/repository/files/:file_path')
export class FileWritesController {
  constructor(
    private readonly writing: CommitWritingService,
    private readonly guests: BranchGuestsPort,
  ) {}

  @Post()
  @Access(BRANCH_WRITE)
  @Returns(ChangedFileRecord, 201)
  create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: WriteFileParams,
  ): Promise<ChangedFileRecord> {
    return this.write({ project, caller }, params, 'create');
  }

  @Put()
  @Access(BRANCH_WRITE)
  @Returns(ChangedFileRecord)
  update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: WriteFileParams,
  ): Promise<ChangedFileRecord> {
    return this.write({ project, caller }, params, 'update');
  }

  @Delete()
  @Access(BRANCH_WRITE)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: RemoveFileParams,
  ): Promise<void> {
    await this.write({ project, caller }, params, 'delete');
  }

  private async write(
    writer: Writer,
    params: RemoveFileParams & Partial<WriteFileParams>,
    action: 'create' | 'update' | 'delete',
  ): Promise<ChangedFileRecord> {
    await this.guests.assertPusher(writer.project, writer.caller, params.branch);
    await this.writing.commitFiles(writer, params, [Object.assign(params, { action })]);
    return { file_path: params.file_path, branch: params.branch };
  }
}
