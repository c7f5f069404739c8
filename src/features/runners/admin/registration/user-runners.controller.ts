import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { isoTimeOrNull } from '#kernel/http/times.js';
import { RegisteredRunnerRecord } from '../../protocol/registration/registration.record.js';
import { CreateRunner } from './create-runner.use-case.js';
import { CreateRunnerParams } from '../runners.params.js';

/** Creates runners by request. */
@Controller('api/v4/user/runners')
export class UserRunnersController {
  constructor(private readonly creation: CreateRunner) {}

  @Post()
  @Access({ user: true, makesCredential: true, scopes: ['create_runner'] })
  @Returns(RegisteredRunnerRecord, 201)
  async create(
    @CurrentActor() actor: Actor,
    @Params() params: CreateRunnerParams,
  ): Promise<RegisteredRunnerRecord> {
    const { runner, token } = await this.creation.run(actor, params);
    return { id: runner.id, token, token_expires_at: isoTimeOrNull(runner.tokenExpiresAt) };
  }
}
