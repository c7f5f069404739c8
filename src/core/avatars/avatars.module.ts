import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AvatarFilesController } from './avatar-files.controller.js';
import { AvatarFilesService } from './avatar-files.service.js';
import { AvatarUploadsService } from './avatar-uploads.service.js';
import { AvatarsController } from './avatars.controller.js';
import { AvatarsQueries } from './avatars.queries.js';

/** Avatars of users, groups and projects. */
@Module({
  imports: [InstanceModule],
  controllers: [AvatarsController, AvatarFilesController],
  providers: [AvatarFilesService, AvatarUploadsService, AvatarsQueries],
  exports: [AvatarUploadsService],
})
export class AvatarsModule {}
