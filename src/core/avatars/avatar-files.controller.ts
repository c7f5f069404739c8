import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import type { Request, Response } from 'express';
import { Access } from '#kernel/access/access.js';
import {
  CurrentGroup,
  CurrentProject,
  type GroupSubject,
  type ProjectSubject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { ReturnsFile } from '#kernel/http/answers/returns.js';
import { AvatarFilesService } from './avatar-files.service.js';

/** File name of an avatar. */
export class FindAvatarFileParams {
  @Text({ maxLength: 255 })
  file!: string;
}

/** File name of a user's avatar. */
export class FindUserAvatarFileParams extends FindAvatarFileParams {
  @Id()
  id!: number;
}

/**
 * Avatars at the `avatar_url` of records, and by routes of their groups and projects, for callers who can see
 * these.
 */
@Controller()
export class AvatarFilesController {
  constructor(private readonly files: AvatarFilesService) {}

  @Get('uploads/-/system/user/avatar/:id/:file')
  @Access({ anyone: true, anyScope: true })
  @ReturnsFile('The image; with `Range`, a part of it')
  ofUser(
    @Params() { id, file }: FindUserAvatarFileParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.files.send('user', id, file, request, response);
  }

  @Get('uploads/-/system/group/avatar/:id/:file')
  @Access({ anyone: true, group: Role.Minimal, publicRead: true })
  @ReturnsFile('The image; with `Range`, a part of it')
  ofGroup(
    @CurrentGroup() { id }: GroupSubject,
    @Params() { file }: FindAvatarFileParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.files.send('group', id, file, request, response);
  }

  @Get('uploads/-/system/project/avatar/:id/:file')
  @Access({ anyone: true, project: Role.Guest, publicRead: true })
  @ReturnsFile('The image; with `Range`, a part of it')
  ofProject(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { file }: FindAvatarFileParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.files.send('project', id, file, request, response);
  }

  @Get('api/v4/groups/:id/avatar')
  @Access({ anyone: true, group: Role.Minimal, publicRead: true })
  @ReturnsFile('The image; with `Range`, a part of it')
  groupPicture(
    @CurrentGroup() { id }: GroupSubject,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.files.send('group', id, null, request, response);
  }

  @Get('api/v4/projects/:id/avatar')
  @Access({ anyone: true, project: Role.Guest, publicRead: true })
  @ReturnsFile('The image; with `Range`, a part of it')
  projectPicture(
    @CurrentProject() { id }: ProjectSubject,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.files.send('project', id, null, request, response);
  }
}
