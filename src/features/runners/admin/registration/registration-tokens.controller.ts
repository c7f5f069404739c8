import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentGroup,
  CurrentProject,
  type Actor,
  type GroupSubject,
  type ProjectSubject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { NewRunnerTokenRecord } from '../../protocol/registration/registration.record.js';
import { ResetRegistrationToken } from './reset-registration-token.use-case.js';

/** Replaces registration tokens; registered runners stay registered. */
@Controller('api/v4')
export class RegistrationTokensController {
  constructor(private readonly tokens: ResetRegistrationToken) {}

  @Post('runners/reset_registration_token')
  @Access({ admin: true })
  @Returns(NewRunnerTokenRecord, 201)
  ofInstance(@CurrentActor() actor: Actor): Promise<NewRunnerTokenRecord> {
    return this.reset(actor, null);
  }

  @Post('projects/:id/runners/reset_registration_token')
  @Access({ project: Role.Maintainer })
  @Returns(NewRunnerTokenRecord, 201)
  ofProject(
    @CurrentActor() actor: Actor,
    @CurrentProject() { id, fullPath: path }: ProjectSubject,
  ): Promise<NewRunnerTokenRecord> {
    return this.reset(actor, { kind: 'Project', id, path });
  }

  @Post('groups/:id/runners/reset_registration_token')
  @Access({ group: Role.Owner })
  @Returns(NewRunnerTokenRecord, 201)
  ofGroup(
    @CurrentActor() actor: Actor,
    @CurrentGroup() { id, fullPath: path }: GroupSubject,
  ): Promise<NewRunnerTokenRecord> {
    return this.reset(actor, { kind: 'Group', id, path });
  }

  private async reset(...given: Parameters<ResetRegistrationToken['run']>): Promise<NewRunnerTokenRecord> {
    return { token: await this.tokens.run(...given), token_expires_at: null };
  }
}
