import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { JobTokenScopeController } from './job-token-scope.controller.js';
import { JobTokenScopeService } from './job-token-scope.service.js';

/** Which jobs of other projects a project lets in. */
@Module({ imports: [AuditModule], controllers: [JobTokenScopeController], providers: [JobTokenScopeService] })
export class JobTokenScopeModule {}
