import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import { EnvironmentsService, type EnvironmentValues } from './environments.service.js';
import { guessTier } from './naming/environment-tier.js';
import { EnvironmentProtectionsPolicy } from './protection/environment-protections.policy.js';

/** Writes environments for users; a protected tier may forbid it. */
@Injectable()
export class EnvironmentWritesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly environments: EnvironmentsService,
    private readonly protections: EnvironmentProtectionsPolicy,
  ) {}

  /** Creates an environment, and returns its id. @throws 403; 400 as `EnvironmentsService.create` */
  create(projectId: number, name: string, values: EnvironmentValues, by: RightsOf): Promise<number> {
    const planned = { projectId, name, tier: guessTier(name) };
    const { tier } = values;
    return this.transactions.run(async (tx) => {
      if (tier !== undefined && tier !== planned.tier)
        await this.protections.assertMayChooseTier(tx, planned, tier, by);
      return this.environments.create(tx, projectId, name, values);
    });
  }

  /** Updates an environment. @throws 403, 404; 400 as `EnvironmentsService.update` */
  async update(projectId: number, id: number, values: EnvironmentValues, by: RightsOf): Promise<void> {
    await this.transactions.run(async (tx) => {
      const environment = await this.environments.lock(tx, projectId, id);
      await this.protections.assertMayChooseTier(tx, environment, values.tier ?? environment.tier, by);
      await this.environments.update(tx, environment, values);
    });
  }

  /** Removes an environment. @throws 403, 404 */
  async remove(projectId: number, id: number, by: RightsOf, unmodified: UnmodifiedCheck): Promise<void> {
    await this.transactions.run(async (tx) => {
      const environment = await this.environments.lock(tx, projectId, id);
      // A newly created one gets the tier suggested by its name.
      await this.protections.assertMayLeaveTier(tx, environment, guessTier(environment.name), by);
      await this.environments.remove(tx, environment, unmodified);
    });
  }
}
