import type { AccessRule, ProjectFeature } from '#kernel/access/access.js';
import { Role, Tier } from '#kernel/access/roles.js';

const ROLES: Readonly<Record<Role, string>> = {
  [Role.None]: 'Anyone signed in who can see',
  [Role.Minimal]: 'Anyone with a role in',
  [Role.Guest]: 'Guests and higher roles of',
  [Role.Reporter]: 'Reporters and higher roles of',
  [Role.Developer]: 'Developers and higher roles of',
  [Role.Maintainer]: 'Maintainers and owners of',
  [Role.Owner]: 'Owners of',
  [Role.Admin]: 'Administrators, for',
};

const FEATURES: Readonly<Record<ProjectFeature, string>> = {
  issues: 'issues',
  repository: 'the repository',
  merge_requests: 'merge requests',
  wiki: 'the wiki',
  builds: 'CI/CD',
  snippets: 'snippets',
  environments: 'environments',
  monitor: 'monitoring',
  deployments: 'deployments',
  package_registry: 'the package registry',
};

const CREDENTIALS: Readonly<Record<NonNullable<AccessRule['credential']>, string>> = {
  runner: 'Runners, with a registration or authentication token among the parameters.',
  job: 'Runners, with the token of the job.',
  'alert-key': 'Monitoring systems, with the key of an alert integration.',
  dsn: 'Applications, with a client key of the project.',
  'git-basic': 'Clients of git, with a token as the password.',
  operator: 'Operators.',
  oauth: 'Applications, as the OAuth 2.0 rules of the grant or token ask for.',
  'mail-link': 'Whoever has the link of a mail.',
};

const planOf = (tier: Tier): string => (tier === Tier.Ultimate ? 'ultimate' : 'premium');

/** Who calls, in the first sentence of a description. */
function callersOf(rule: AccessRule): string {
  const role = rule.project ?? rule.group;
  if (rule.credential) return CREDENTIALS[rule.credential];
  if (rule.page !== undefined) return 'Anyone; who is not signed in is led to the sign-in.';
  if (rule.admin) return 'Administrators.';
  if (role === undefined) return rule.anyone ? 'Anyone, signed in or not.' : 'Anyone signed in.';
  const subject = rule.project === undefined ? 'group' : 'project';
  if (!rule.publicRead) return `${ROLES[role]} the ${subject}.`;
  return `${ROLES[role]} the ${subject}; where it is open to others, anyone${rule.anyone ? '' : ' signed in'}.`;
}

/** Who may call a route, in sentences: the rule that the guards read, for people. */
export function accessInWords(rule: AccessRule): string {
  const { feature, tier, scopes, jobToken, basic, archived } = rule;
  return [
    callersOf(rule),
    feature && `Where ${FEATURES[feature]} can be seen.`,
    tier !== undefined && tier > Tier.Free && `On the ${planOf(tier)} plan.`,
    scopes && `A token with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')} suffices.`,
    rule.anyScope && 'Any token does, whatever its scopes.',
    rule.makesCredential && 'Neither tokens of OAuth applications nor of jobs do.',
    jobToken === true && 'The token of a running job does too.',
    jobToken !== undefined &&
      jobToken !== true &&
      `On the ${planOf(jobToken)} plan the token of a running job does too.`,
    basic && 'A token may be sent as the password of HTTP Basic.',
    archived && 'Archived projects too.',
    rule.byPath && 'The group is named by its full path.',
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
}
