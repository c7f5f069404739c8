import { Controller, Delete, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { isoTimeOrNull } from '#kernel/http/times.js';
import type { TokenOfRunner } from '#core/ci/runners/runners.service.js';
import { RunnerCredentialFinder } from '../runner-credential.finder.js';
import { RunnerPresenceService } from '../runner-presence.service.js';
import { runnerState } from '../runner-state.js';
import { RegisteredRunnersService } from './registered-runners.service.js';
import {
  RegisterRunnerParams,
  RunnerMachineParams,
  RunnerTokenParams,
  VerifyRunnerParams,
} from './registration.params.js';
import { NewRunnerTokenRecord, RegisteredRunnerRecord } from './registration.record.js';

/** Registration, verification and removal of runners by their tokens (`ci.md` 6). */
@Controller('api/v4/runners')
export class RegistrationController {
  constructor(
    private readonly credential: RunnerCredentialFinder,
    private readonly presence: RunnerPresenceService,
    private readonly runners: RegisteredRunnersService,
  ) {}

  /** Registers a runner by the token of a project, a group or the instance. */
  @Post()
  @Access({ credential: 'runner' })
  @Returns(RegisteredRunnerRecord, 201)
  async register(@Params() params: RegisterRunnerParams): Promise<RegisteredRunnerRecord> {
    const made = await this.runners.register(params);
    const { token, token_expires_at } = shownToken(made);
    return { id: made.runner.id, token, token_expires_at };
  }

  /** Verifies the token of a runner. */
  @Post('verify')
  @Access({ credential: 'runner' })
  @Returns(RegisteredRunnerRecord)
  async verify(
    @Params() { token, system_id: systemId }: VerifyRunnerParams,
  ): Promise<RegisteredRunnerRecord> {
    const { id, tokenExpiresAt } = await this.credential.find(token);
    await this.presence.note(id, systemId ?? null, runnerState());
    return { id, token, token_expires_at: isoTimeOrNull(tokenExpiresAt) };
  }

  /** Removes a runner. */
  @Delete()
  @Access({ credential: 'runner' })
  @ReturnsNothing()
  async remove(@Params() { token }: RunnerTokenParams): Promise<void> {
    await this.runners.remove(token);
  }

  /** Removes a machine of a runner. */
  @Delete('managers')
  @Access({ credential: 'runner' })
  @ReturnsNothing()
  async removeMachine(@Params() { token, system_id: systemId }: RunnerMachineParams): Promise<void> {
    await this.runners.removeMachine(token, systemId);
  }

  /** Replaces the token of a runner; the former one becomes invalid. */
  @Post('reset_authentication_token')
  @Access({ credential: 'runner' })
  @Returns(NewRunnerTokenRecord, 201)
  async reset(@Params() { token }: RunnerTokenParams): Promise<NewRunnerTokenRecord> {
    return shownToken(await this.runners.resetToken(token));
  }
}

const shownToken = ({ runner, token }: TokenOfRunner): NewRunnerTokenRecord => ({
  token,
  token_expires_at: isoTimeOrNull(runner.tokenExpiresAt),
});
