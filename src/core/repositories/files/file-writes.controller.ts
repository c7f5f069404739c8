import { Controller, Delete, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsNothing } from '#kernel/http/returns.js';
import { REPOSITORY_WRITE } from '../repository-access.js';
import { CommitWriting } from '../commits/commit-writing.js';
import { ChangedFileRecord } from './file.record.js';
import { RemoveFile, WriteFile } from './files.params.js';

/** Commits of one file each. */
@Controller('api/v4/projects/:id/repository/files/:file_path')
export class FileWritesController {
  constructor(private readonly writing: CommitWriting) {}

  @Post()
  @Access(REPOSITORY_WRITE)
  @Returns(ChangedFileRecord, 201)
  create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: WriteFile,
  ): Promise<ChangedFileRecord> {
    return this.write({ project, caller }, params, 'create');
  }

  @Put()
  @Access(REPOSITORY_WRITE)
  @Returns(ChangedFileRecord)
  update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: WriteFile,
  ): Promise<ChangedFileRecord> {
    return this.write({ project, caller }, params, 'update');
  }

  @Delete()
  @Access(REPOSITORY_WRITE)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: RemoveFile,
  ): Promise<void> {
    await this.write({ project, caller }, params, 'delete');
  }

  private async write(
    writer: { readonly project: ProjectSubject; readonly caller: Caller },
    params: RemoveFile & Partial<WriteFile>,
    action: 'create' | 'update' | 'delete',
  ): Promise<ChangedFileRecord> {
    await this.writing.commitFiles(writer, params, [Object.assign(params, { action })]);
    return { file_path: params.file_path, branch: params.branch };
  }
}
