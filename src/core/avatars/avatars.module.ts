import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AvatarFilesController } from './avatar-files.controller.js';
import { AvatarFiles } from './avatar-files.js';
import { AvatarUploads } from './avatar-uploads.js';
import { AvatarsController } from './avatars.controller.js';

/** Pictures of users, groups and projects. */
@Module({
  imports: [InstanceModule],
  controllers: [AvatarsController, AvatarFilesController],
  providers: [AvatarFiles, AvatarUploads],
  exports: [AvatarUploads],
})
export class AvatarsModule {}
