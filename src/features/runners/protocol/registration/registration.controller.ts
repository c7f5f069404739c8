import { Controller, Delete, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Transactions } from '#kernel/database/transactions.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { isoTimeOrNull } from '#kernel/http/times.js';
import { MADE_BY_PEOPLE, RunnersService, type TokenOfRunner } from '#core/ci/runners/runners.service.js';
import { RunnerCredentialFinder } from '../runner-credential.finder.js';
import { RunnerPresenceService } from '../runner-presence.service.js';
import { runnerState } from '../runner-state.js';
import { RegistrationPlacesService } from './registration-places.service.js';
import {
  RegisterRunnerParams,
  RunnerMachineParams,
  RunnerTokenParams,
  VerifyRunnerParams,
} from './registration.params.js';
import { NewRunnerTokenRecord, RegisteredRunnerRecord } from './registration.records.js';

const REMOVE_MACHINE = `with removed as (delete from ci_runner_managers where runner_id = $1 and system_id = $2 returning 1)
  select 1 from removed`;

/** Registration, verification and removal of runners by their tokens (`ci.md` 6). */
@Controller('api/v4/runners')
export class RegistrationController {
  constructor(
    private readonly places: RegistrationPlacesService,
    private readonly credential: RunnerCredentialFinder,
    private readonly presence: RunnerPresenceService,
    private readonly runners: RunnersService,
    private readonly transactions: Transactions,
  ) {}

  /** Registers a runner by the token of a project, a group or the instance. */
  @Post()
  @Access({ credential: 'runner' })
  @Returns(RegisteredRunnerRecord, 201)
  async register(@Params() params: RegisterRunnerParams): Promise<RegisteredRunnerRecord> {
    const place = await this.places.of(params.token);
    const made = await this.transactions.run(async (tx) => {
      const created = await this.runners.create(tx, place, {
        description: params.description ?? null,
        maintenanceNote: params.maintenance_note ?? params.maintainer_note ?? null,
        paused: params.paused ?? !(params.active ?? true),
        locked: params.locked ?? false,
        runUntagged: params.run_untagged ?? true,
        accessLevel: params.access_level ?? 'not_protected',
        // Clients send 0 for none.
        maximumTimeout: params.maximum_timeout || null,
        tagList: params.tag_list ?? [],
      });
      await this.presence.write(tx, created.runner.id, null, runnerState(params.info));
      return created;
    });
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
    const { id } = await this.credential.find(token);
    await this.transactions.run((tx) => this.runners.remove(tx, id));
  }

  /** Removes a machine of a runner. */
  @Delete('managers')
  @Access({ credential: 'runner' })
  @ReturnsNothing()
  async removeMachine(@Params() { token, system_id: systemId }: RunnerMachineParams): Promise<void> {
    const { id } = await this.credential.find(token);
    const removed = await this.transactions.run((tx) => tx.query<unknown[]>(REMOVE_MACHINE, [id, systemId]));
    if (removed.length === 0) throw notFound('Runner Manager');
  }

  /** Replaces the token of a runner; the former one becomes invalid. */
  @Post('reset_authentication_token')
  @Access({ credential: 'runner' })
  @Returns(NewRunnerTokenRecord, 201)
  async reset(@Params() { token }: RunnerTokenParams): Promise<NewRunnerTokenRecord> {
    const { id } = await this.credential.find(token);
    const prefix = token.startsWith(MADE_BY_PEOPLE) ? MADE_BY_PEOPLE : '';
    const renewed = await this.transactions.run(async (tx) => {
      const runner = await this.runners.lock(tx, id);
      // The token was replaced concurrently.
      if (!this.credential.isOf(runner, token)) throw forbidden();
      return { runner, token: await this.runners.resetToken(tx, runner, prefix) };
    });
    return shownToken(renewed);
  }
}

const shownToken = ({ runner, token }: TokenOfRunner): NewRunnerTokenRecord => ({
  token,
  token_expires_at: isoTimeOrNull(runner.tokenExpiresAt),
});
