import type { AccessRule, ProjectFeature } from '#kernel/access/access.js';
import { Role, Tier } from '#kernel/access/roles.js';

const ROLES: Readonly<Record<Role, string>> = {
  [Role.None]: 'Needs to see',
  [Role.Minimal]: 'Needs a role in',
  [Role.Guest]: 'Needs at least the Guest role in',
  [Role.Reporter]: 'Needs at least the Reporter role in',
  [Role.Developer]: 'Needs at least the Developer role in',
  [Role.Maintainer]: 'Needs at least the Maintainer role in',
  [Role.Owner]: 'Needs the Owner role in',
  [Role.Admin]: 'Only administrators may call it, for',
};

const FEATURES: Readonly<Record<ProjectFeature, string>> = {
  issues: 'The issues',
  repository: 'The repository',
  merge_requests: 'The merge requests',
  wiki: 'The wiki',
  builds: 'The pipelines',
  snippets: 'The snippets',
  environments: 'The environments',
  monitor: 'Monitoring',
  deployments: 'The deployments',
  package_registry: 'The package registry',
};

const CREDENTIALS: Readonly<Record<NonNullable<AccessRule['credential']>, string>> = {
  runner: 'Runners call it, with a registration or authentication token among the parameters.',
  job: 'Runners call it, with the token of the job.',
  'alert-key': 'Monitoring systems call it, with the key of an alert integration.',
  dsn: 'Applications call it, with a client key of the project.',
  'git-basic': 'Git clients call it, with a token as the password.',
  operator: 'Operators call it.',
  oauth: 'OAuth applications call it, as the grant or the token requires.',
  'mail-link': 'Anyone with the link from a mail may call it.',
  ignored: 'Anyone may call it; credentials are ignored.',
};

const planOf = (tier: Tier): string => (tier === Tier.Ultimate ? 'ultimate' : 'premium');

/** Describes the callers, in the first sentences of a description. */
function callersOf(rule: AccessRule): string {
  const role = rule.project ?? rule.group;
  if (rule.credential) return CREDENTIALS[rule.credential];
  if (rule.page !== undefined)
    return 'Anyone may call it; callers who are not signed in are redirected to the sign-in page.';
  if (rule.admin) return 'Only administrators may call it.';
  if (role === undefined)
    return rule.anyone ? 'Anyone may call it, signed in or not.' : 'Anyone who is signed in may call it.';
  const subject = rule.project === undefined ? 'group' : 'project';
  const needs = `${ROLES[role]} the ${subject}.`;
  if (!rule.publicRead) return needs;
  return `${needs} If it is open to others, anyone${rule.anyone ? '' : ' signed in'} may call it.`;
}

/** Describes in sentences who may call a route, from the rule that the guards read. */
export function accessInWords(rule: AccessRule): string {
  const { feature, tier, scopes, jobToken, basic, archived } = rule;
  return [
    callersOf(rule),
    feature && `${FEATURES[feature]} must be visible to the caller.`,
    tier !== undefined && tier > Tier.Free && `Needs the ${planOf(tier)} plan.`,
    scopes && `A token with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')} suffices.`,
    rule.anyScope && 'A token of any scope suffices.',
    rule.makesCredential && 'OAuth and job tokens are refused.',
    jobToken === true && 'The token of a running job suffices too.',
    jobToken !== undefined &&
      jobToken !== true &&
      `On the ${planOf(jobToken)} plan, the token of a running job suffices too.`,
    basic && 'A token may be sent as the password of HTTP Basic.',
    archived && 'It also works on archived projects.',
    rule.byPath && 'The group is given by its full path.',
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
}
