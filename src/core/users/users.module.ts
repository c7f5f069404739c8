import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AvatarsModule } from '#core/avatars/avatars.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AccountNoticesService } from './events/account-notices.service.js';
import { AlertBotService } from './internal/alert-bot.service.js';
import { ChangeUserState } from './states/change-user-state.use-case.js';
import { ContributionsService } from './removal/contributions.service.js';
import { CreateUser } from './changes/create-user.use-case.js';
import { CurrentUserController } from './current-user.controller.js';
import { FollowsController } from './follows.controller.js';
import { GhostService } from './removal/ghost.service.js';
import { InternalUsersService } from './internal/internal-users.service.js';
import { OwnEmailsController } from './addresses/own-emails.controller.js';
import { OwnKeysController } from './keys/own-keys.controller.js';
import { RemoveUser } from './removal/remove-user.use-case.js';
import { SignInFailuresService } from './sign-ins/sign-in-failures.service.js';
import { SshKey } from './keys/ssh-key.entity.js';
import { SshKeysService } from './keys/ssh-keys.service.js';
import { TwoFactorStateService } from './sign-ins/two-factor-state.service.js';
import { UpdateUser } from './changes/update-user.use-case.js';
import { UserAddressesService } from './addresses/user-addresses.service.js';
import { UserCountersRegistry } from './user-counters.registry.js';
import { UserDetailsController } from './user-details.controller.js';
import { UserEmail } from './addresses/user-email.entity.js';
import { UserEmailsController } from './addresses/user-emails.controller.js';
import { UserEmailsService } from './addresses/user-emails.service.js';
import { UserKeysController } from './keys/user-keys.controller.js';
import { UserLookupsLimit } from './user-lookups.limit.js';
import { UserPasswordsService } from './sign-ins/user-passwords.service.js';
import { UserPresenter } from './records/user.presenter.js';
import { UserSignInsService } from './sign-ins/user-sign-ins.service.js';
import { UserStatesController } from './states/user-states.controller.js';
import { UserUniquenessService } from './changes/user-uniqueness.service.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersQueries } from './lists/users.queries.js';
import { UsersService } from './users.service.js';

const shared = [
  AccountNoticesService,
  AlertBotService,
  UsersService,
  CreateUser,
  UpdateUser,
  UsersQueries,
  UserPresenter,
  UserCountersRegistry,
  UserEmailsService,
  UserAddressesService,
  UserPasswordsService,
  GhostService,
  ContributionsService,
  SignInFailuresService,
  UserSignInsService,
  TwoFactorStateService,
];

/** Users: accounts, their states, keys, email addresses and profiles. */
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
    ...shared,
    InternalUsersService,
    UserUniquenessService,
    UserLookupsLimit,
    RemoveUser,
    ChangeUserState,
    SshKeysService,
  ],
  exports: shared,
})
export class UsersModule {}
