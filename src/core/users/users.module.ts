import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Contributions } from './contributions.js';
import { Ghost } from './ghost.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** Users: accounts, their keys and states. */
@Module({
  imports: [TypeOrmModule.forFeature([User])],
  providers: [UsersService, Ghost, Contributions],
  exports: [UsersService, Ghost, Contributions],
})
export class UsersModule {}
