import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { RunnersOfRemovedOwnersListener } from './runners-of-removed-owners.listener.js';
import { Runner } from './runner.entity.js';
import { RunnersService } from './runners.service.js';

/** Registration and removal of runners. */
@Module({
  imports: [TypeOrmModule.forFeature([Runner]), InstanceModule],
  providers: [RunnersService, RunnersOfRemovedOwnersListener],
  exports: [RunnersService],
})
export class CiRunnersModule {}
