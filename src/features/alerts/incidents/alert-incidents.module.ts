import { Module } from '@nestjs/common';
import { IssuesModule } from '#core/issues/issues.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { AlertMailQueries } from '../mails/alert-mail.queries.js';
import { AlertReadersQueries } from '../mails/alert-readers.queries.js';
import { IncidentsListener } from './incidents.listener.js';

/** Effects of alerts: incidents and mails. */
@Module({
  imports: [IssuesModule, UsersModule],
  providers: [AlertMailQueries, AlertReadersQueries, IncidentsListener],
  exports: [AlertMailQueries, AlertReadersQueries],
})
export class AlertIncidentsModule {}
