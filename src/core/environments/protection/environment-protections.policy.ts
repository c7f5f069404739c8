import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import type { EnvironmentTier } from '../naming/environment-tier.js';
import type { Environment } from '../environment.entity.js';
import { boundToTierSql, isProtectedSql, keptFromSql } from './protection.sql.js';

/** Facts of an environment that determine its protections. */
export type TieredEnvironment = Pick<Environment, 'projectId' | 'name' | 'tier'>;

/**
 * Checked first: most environments are unprotected, and finding who may deploy costs more than all other
 * statements of a deployment.
 */
const IS_PROTECTED = `select ${isProtectedSql('$1::bigint', '$2::text', '$3::text')} as is_protected`;

const KEPT_FROM = `select ${keptFromSql('$1::bigint', '$2::text', '$3::text', '$4::bigint', '$5')} as kept`;

const BOUND = `select ${boundToTierSql('$1::bigint', '$2::text', '$3::text', '$6::text', '$4::bigint', '$5')} as kept`;

/** Decides who may deploy to protected environments. */
@Injectable()
export class EnvironmentProtectionsPolicy {
  /** Returns whether a user may deploy: all protections of the environment must include the user. */
  mayDeploy(tx: Tx, environment: TieredEnvironment, { userId, role }: RightsOf): Promise<boolean> {
    return isOpen(tx, environment, userId, role === Role.Admin);
  }

  /** Returns whether the user (or null) of a job may deploy. */
  mayJobDeploy(tx: Tx, environment: TieredEnvironment, userId: number | null): Promise<boolean> {
    return isOpen(tx, environment, userId, null);
  }

  /** Asserts that a user may deploy. @throws 403 */
  async assertMayDeploy(tx: Tx, environment: TieredEnvironment, by: RightsOf): Promise<void> {
    if (!(await this.mayDeploy(tx, environment, by))) throw forbidden();
  }

  /** Asserts the same for an environment known to be protected (`isProtectedSql`). @throws 403 */
  async assertNamed(tx: Tx, environment: TieredEnvironment, { userId, role }: RightsOf): Promise<void> {
    if (!(await isOpenTo(tx, environment, userId, role === Role.Admin))) throw forbidden();
  }

  /**
   * Asserts the right to move an environment from a tier, its present one (or, if it is new, the suggested
   * one), to another or none.
   * @throws 403 if the user may not deploy to it, or would thereby bypass required approvals
   */
  async assertMayLeaveTier(
    tx: Tx,
    environment: TieredEnvironment,
    tier: EnvironmentTier,
    { userId, role }: RightsOf,
  ): Promise<void> {
    if (!(await isFree(tx, environment, tier, userId, role === Role.Admin))) throw forbidden();
  }

  /**
   * Asserts the right to choose a tier, or to change an environment that keeps its tier.
   * @throws 403 if the user may not leave the present one, or not deploy to the other
   */
  async assertMayChooseTier(
    tx: Tx,
    environment: TieredEnvironment,
    tier: EnvironmentTier,
    by: RightsOf,
  ): Promise<void> {
    await this.assertMayDeploy(tx, { ...environment, tier }, by);
    if (tier !== environment.tier) await this.assertMayLeaveTier(tx, environment, tier, by);
  }

  /**
   * Returns the tier of an environment that a job deploys to: that of the job (null: none) if its user (or
   * null) may choose it, else the present one.
   */
  async tierByJob(
    tx: Tx,
    environment: TieredEnvironment,
    said: EnvironmentTier | null,
    userId: number | null,
  ): Promise<EnvironmentTier> {
    if (said === null || said === environment.tier) return environment.tier;
    const may =
      (await this.mayJobDeploy(tx, { ...environment, tier: said }, userId)) &&
      (await isFree(tx, environment, said, userId, null));
    return may ? said : environment.tier;
  }
}

async function isOpen(
  tx: Tx,
  environment: TieredEnvironment,
  userId: number | null,
  isAdmin: boolean | null,
): Promise<boolean> {
  const { projectId, name, tier } = environment;
  const [asked] = await tx.query<{ is_protected: boolean }[]>(IS_PROTECTED, [projectId, name, tier]);
  if (asked?.is_protected === false) return true;
  return isOpenTo(tx, environment, userId, isAdmin);
}

async function isOpenTo(
  tx: Tx,
  { projectId, name, tier }: TieredEnvironment,
  userId: number | null,
  isAdmin: boolean | null,
): Promise<boolean> {
  const [row] = await tx.query<{ kept: boolean }[]>(KEPT_FROM, [projectId, name, tier, userId, isAdmin]);
  return row?.kept === false;
}

async function isFree(
  tx: Tx,
  { projectId, name, tier }: TieredEnvironment,
  chosen: EnvironmentTier,
  userId: number | null,
  isAdmin: boolean | null,
): Promise<boolean> {
  const values = [projectId, name, tier, userId, isAdmin, chosen];
  const [row] = await tx.query<{ kept: boolean }[]>(BOUND, values);
  return row?.kept === false;
}
