import { partLevel } from '#kernel/access/project-parts.js';
import { Tier } from '#kernel/access/roles.js';
import { levelsOf } from './settings/feature-switches.js';
import { PREMIUM_DEFAULTS } from './settings/premium-settings.js';
import type { ProjectAttributesParams } from './projects.params.js';
import type { Problems } from './project.rules.js';
import { PROJECT_DEFAULTS } from './settings/project-settings.js';

/**
 * Returns the attributes stored in `settings`; an access level overrides the older switch of the same part.
 */
export function settingsOf(params: ProjectAttributesParams, tier: Tier): Record<string, unknown> {
  const { emails_disabled: isSilent, public_builds: publicBuilds } = params;
  const changes: Record<string, unknown> = levelsOf(params);
  if (isSilent !== undefined) changes['emails_enabled'] = !isSilent;
  if (publicBuilds !== undefined) changes['public_jobs'] = publicBuilds;
  const given = params as Record<string, unknown>;
  const premium = Object.keys(PREMIUM_DEFAULTS);
  for (const name of [...Object.keys(PROJECT_DEFAULTS), ...premium])
    if (given[name] !== undefined) changes[name] = given[name];
  if (tier < Tier.Premium) for (const name of premium) Reflect.deleteProperty(changes, name);
  return changes;
}

/** Returns the topics, given by either name; null if none are given. */
export function topicsOf({ topics, tag_list: tags }: ProjectAttributesParams): string[] | null {
  const given = topics ?? tags;
  return given ? [...new Set(given.map((topic) => topic.trim()).filter((topic) => topic !== ''))] : null;
}

const ACCENTS = /\p{M}/gu;

/** Derives a path from a name: lower case, with dashes for everything except letters and digits. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** Returns the problem of a visibility, in the text that v4 clients know; null if it is valid. */
export function visibilityProblem(
  visibility: string,
  cap: string | null,
  restricted: readonly string[],
  admin: boolean,
): string | null {
  if (cap !== null && rank(visibility) > rank(cap)) return `${visibility} is not allowed in a ${cap} group.`;
  return !admin && restricted.includes(visibility)
    ? `${visibility} has been restricted by your administrator`
    : null;
}

const RANKS = ['private', 'internal', 'public'];
const rank = (visibility: string): number => RANKS.indexOf(visibility);

/** Limits a visibility to that of a group. */
export const cappedVisibility = <V extends string>(visibility: V, cap: V | null): V =>
  cap !== null && rank(visibility) > rank(cap) ? cap : visibility;

/** Returns problems of access levels that exceed that of the code they depend on. */
export function levelProblems(
  { builds_access_level: asked }: ProjectAttributesParams,
  settings: Readonly<Record<string, unknown>>,
): Problems {
  if (asked === undefined || asked === partLevel(settings, 'builds')) return {};
  return { builds_access_level: ['cannot have higher visibility level than repository access level'] };
}
