import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { Session } from './session.entity.js';
import { SessionUse } from './session-use.js';
import { SessionsListener } from './sessions.listener.js';
import { SessionsService } from './sessions.service.js';

/** Sessions of signed-in browsers. */
@Module({
  imports: [TypeOrmModule.forFeature([Session]), InstanceModule],
  providers: [SessionsService, SessionsListener, SessionUse],
  exports: [SessionsService, SessionUse],
})
export class SessionsModule {}
