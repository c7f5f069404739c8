import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Role } from '#kernel/access/roles.js';
import { NotFound } from '#kernel/http/errors.js';
import { ReturnsFile } from '#kernel/http/returns.js';

/** Pictures of groups, which other instances ask for: there are none here. */
@Controller('api/v4/groups')
export class GroupAvatarController {
  @Get(':id/avatar')
  @Access({ group: Role.Minimal, publicRead: true, anyone: true })
  @ReturnsFile('The picture; there is none here: 404')
  find(): never {
    throw NotFound('Avatar');
  }
}
