import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AvatarsModule } from '#core/avatars/avatars.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AccountNoticesService } from './events/account-notices.service.js';
import { AlertBot } from './internal/alert-bot.js';
import { ChangeUserState } from './states/change-user-state.js';
import { Contributions } from './removal/contributions.js';
import { CreateUser } from './changes/create-user.js';
import { CurrentUserController } from './current-user.controller.js';
import { FollowsController } from './follows.controller.js';
import { Ghost } from './removal/ghost.js';
import { InternalUsers } from './internal/internal-users.js';
import { OwnEmailsController } from './addresses/own-emails.controller.js';
import { OwnKeysController } from './keys/own-keys.controller.js';
import { RemoveUser } from './removal/remove-user.js';
import { SignInFailures } from './sign-ins/sign-in-failures.js';
import { SshKey } from './keys/ssh-key.entity.js';
import { SshKeysService } from './keys/ssh-keys.service.js';
import { TwoFactorState } from './sign-ins/two-factor-state.js';
import { UpdateUser } from './changes/update-user.js';
import { UserAddresses } from './addresses/user-addresses.js';
import { UserCounters } from './user-counters.js';
import { UserDetailsController } from './user-details.controller.js';
import { UserEmail } from './addresses/user-email.entity.js';
import { UserEmailsController } from './addresses/user-emails.controller.js';
import { UserEmailsService } from './addresses/user-emails.service.js';
import { UserKeysController } from './keys/user-keys.controller.js';
import { UserLookups } from './user-lookups.js';
import { UserPasswords } from './sign-ins/user-passwords.js';
import { UserPresenter } from './records/user-presenter.js';
import { UserSignIns } from './sign-ins/user-sign-ins.js';
import { UserStatesController } from './states/user-states.controller.js';
import { UserUniqueness } from './changes/user-uniqueness.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersQueries } from './lists/users.queries.js';
import { UsersService } from './users.service.js';

/** Users: accounts, their states, keys, addresses and profiles. */
@Module({
  imports: [TypeOrmModule.forFeature([User, UserEmail, SshKey]), AuditModule, AvatarsModule, InstanceModule],
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
    AccountNoticesService,
    AlertBot,
    InternalUsers,
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
    AccountNoticesService,
    AlertBot,
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
