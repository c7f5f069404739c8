import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ChangeUserState } from './change-user-state.js';
import { Contributions } from './contributions.js';
import { CreateUser } from './create-user.js';
import { CurrentUserController } from './current-user.controller.js';
import { FollowsController } from './follows.controller.js';
import { Ghost } from './ghost.js';
import { OwnEmailsController } from './own-emails.controller.js';
import { OwnKeysController } from './own-keys.controller.js';
import { RemoveUser } from './remove-user.js';
import { SignInFailures } from './sign-in-failures.js';
import { SshKey } from './ssh-key.entity.js';
import { SshKeysService } from './ssh-keys.service.js';
import { TwoFactorState } from './two-factor-state.js';
import { UpdateUser } from './update-user.js';
import { UserAddresses } from './user-addresses.js';
import { UserCounters } from './user-counters.js';
import { UserDetailsController } from './user-details.controller.js';
import { UserEmail } from './user-email.entity.js';
import { UserEmailsController } from './user-emails.controller.js';
import { UserEmailsService } from './user-emails.service.js';
import { UserKeysController } from './user-keys.controller.js';
import { UserLookups } from './user-lookups.js';
import { UserPasswords } from './user-passwords.js';
import { UserPresenter } from './user-presenter.js';
import { UserSignIns } from './user-sign-ins.js';
import { UserStatesController } from './user-states.controller.js';
import { UserUniqueness } from './user-uniqueness.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersQueries } from './users.queries.js';
import { UsersService } from './users.service.js';

/** Users: accounts, their states, keys, addresses and profiles. */
@Module({
  imports: [TypeOrmModule.forFeature([User, UserEmail, SshKey]), AuditModule, InstanceModule],
  controllers: [
    CurrentUserController,
    OwnEmailsController,
    OwnKeysController,
    UsersController,
    UserStatesController,
    UserEmailsController,
    UserKeysController,
    UserDetailsController,
    FollowsController,
  ],
  providers: [
    UsersService,
    UsersQueries,
    UserPresenter,
    UserUniqueness,
    UserLookups,
    UserCounters,
    CreateUser,
    UpdateUser,
    RemoveUser,
    ChangeUserState,
    SshKeysService,
    UserEmailsService,
    UserAddresses,
    UserPasswords,
    Ghost,
    Contributions,
    SignInFailures,
    UserSignIns,
    TwoFactorState,
  ],
  exports: [
    UsersService,
    CreateUser,
    UpdateUser,
    UsersQueries,
    UserPresenter,
    UserCounters,
    UserEmailsService,
    UserAddresses,
    UserPasswords,
    Ghost,
    Contributions,
    SignInFailures,
    UserSignIns,
    TwoFactorState,
  ],
})
export class UsersModule {}
