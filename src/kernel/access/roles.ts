/**
 * Roles of a member, with the numbers that v4 clients send; an administrator counts as more than an owner.
 */
export enum Role {
  None = 0,
  Minimal = 5,
  Guest = 10,
  Reporter = 20,
  Developer = 30,
  Maintainer = 40,
  Owner = 50,
  Admin = 60,
}

/** Tiers of a license, in ascending order. */
export enum Tier {
  Free = 0,
  Premium = 1,
  Ultimate = 2,
}

const tiers: Readonly<Record<string, Tier>> = {
  free: Tier.Free,
  premium: Tier.Premium,
  ultimate: Tier.Ultimate,
};

/** Returns the tier of a plan name; unknown names count as free. */
export const tierOf = (plan: string): Tier => tiers[plan] ?? Tier.Free;

/** Scopes that the tokens of bots can have: without those of administrators and those about a person. */
export const BOT_SCOPES = [
  'api',
  'read_api',
  'read_user',
  'create_runner',
  'k8s_proxy',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
] as const;

/** All scopes that a token can have. */
export const SCOPES = [...BOT_SCOPES, 'sudo', 'admin_mode', 'openid', 'profile', 'email'] as const;

/** A scope of a token. */
export type Scope = (typeof SCOPES)[number];

/** Scopes that are useful only to administrators, and that only they may grant. */
export const ADMIN_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['sudo', 'admin_mode']);
