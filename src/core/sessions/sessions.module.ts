import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { Session } from './session.entity.js';
import { SessionUseService } from './session-use.service.js';
import { SessionsListener } from './sessions.listener.js';
import { SessionsService } from './sessions.service.js';

/** Sessions of signed-in browsers. */
@Module({
  imports: [TypeOrmModule.forFeature([Session]), InstanceModule],
  providers: [SessionsService, SessionsListener, SessionUseService],
  exports: [SessionsService, SessionUseService],
})
export class SessionsModule {}
