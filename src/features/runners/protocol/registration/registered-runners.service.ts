import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { MADE_BY_PEOPLE, RunnersService, type TokenOfRunner } from '#core/ci/runners/runners.service.js';
import { RunnerCredentialFinder } from '../runner-credential.finder.js';
import { RunnerPresenceService } from '../runner-presence.service.js';
import { runnerState } from '../runner-state.js';
import { RegistrationContainersService } from './registration-containers.service.js';
import type { RegisterRunnerParams } from './registration.params.js';

const REMOVE_MACHINE = `with removed as (delete from ci_runner_managers where runner_id = $1 and system_id = $2 returning 1)
  select 1 from removed`;

/** Writes runners for those who hold a token: of registration, or of the runner. */
@Injectable()
export class RegisteredRunnersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly containers: RegistrationContainersService,
    private readonly credential: RunnerCredentialFinder,
    private readonly presence: RunnerPresenceService,
    private readonly runners: RunnersService,
  ) {}

  /** Registers a runner by the token of a project, a group or the instance. */
  async register(params: RegisterRunnerParams): Promise<TokenOfRunner> {
    const container = await this.containers.of(params.token);
    return this.transactions.run(async (tx) => {
      const created = await this.runners.create(tx, container, {
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
  }

  /** Removes the runner of a token. */
  async remove(token: string): Promise<void> {
    const { id } = await this.credential.find(token);
    await this.transactions.run((tx) => this.runners.remove(tx, id));
  }

  /** Removes a machine of the runner of a token. @throws 404 */
  async removeMachine(token: string, systemId: string): Promise<void> {
    const { id } = await this.credential.find(token);
    const removed = await this.transactions.run((tx) => tx.query<unknown[]>(REMOVE_MACHINE, [id, systemId]));
    if (removed.length === 0) throw notFound('Runner Manager');
  }

  /** Replaces the token of a runner; the former one becomes invalid. @throws 403 if that has just happened */
  async resetToken(token: string): Promise<TokenOfRunner> {
    const { id } = await this.credential.find(token);
    const prefix = token.startsWith(MADE_BY_PEOPLE) ? MADE_BY_PEOPLE : '';
    return this.transactions.run(async (tx) => {
      const runner = await this.runners.lock(tx, id);
      // The token was replaced concurrently.
      if (!this.credential.isOf(runner, token)) throw forbidden();
      return { runner, token: await this.runners.resetToken(tx, runner, prefix) };
    });
  }
}
