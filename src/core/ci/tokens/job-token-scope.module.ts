import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { JobTokenScopeController } from './job-token-scope.controller.js';
import { JobTokenScopeService } from './job-token-scope.service.js';

/** Access of jobs of other projects. */
@Module({ imports: [AuditModule], controllers: [JobTokenScopeController], providers: [JobTokenScopeService] })
export class JobTokenScopeModule {}
