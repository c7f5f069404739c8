import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { RunnersOfRemovedOwners } from './removed-owners.listener.js';
import { Runner } from './runner.entity.js';
import { Runners } from './runners.service.js';

/** How runners come and go. */
@Module({
  imports: [TypeOrmModule.forFeature([Runner]), InstanceModule],
  providers: [Runners, RunnersOfRemovedOwners],
  exports: [Runners],
})
export class CiRunnersModule {}
