import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { CiModule } from '../ci.module.js';
import { InstanceVariablesController } from './instance-variables.controller.js';
import { OwnedVariablesContribution } from './owned-variables.contribution.js';
import { VariableSecretsService } from './variable-secrets.service.js';
import { Variable } from './variable.entity.js';
import { variablesControllers } from './variables.controllers.js';
import { VariablesListener } from './variables.listener.js';
import { VariablesService } from './variables.service.js';

/** Variables of projects, groups and the instance. */
@Module({
  imports: [TypeOrmModule.forFeature([Variable]), AuditModule, CiModule],
  controllers: [...variablesControllers, InstanceVariablesController],
  providers: [VariablesService, VariableSecretsService, VariablesListener, OwnedVariablesContribution],
})
export class VariablesModule {}
