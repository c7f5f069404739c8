import { partLevel } from '#kernel/access/project-parts.js';
import { Tier } from '#kernel/access/roles.js';
import { levelsOf } from './settings/feature-switches.js';
import { PREMIUM_DEFAULTS } from './settings/premium-settings.js';
import type { ProjectAttributesParams } from './projects.params.js';
import type { Problems } from './project.rules.js';
import { PROJECT_DEFAULTS } from './settings/project-settings.js';

/** The part of the attributes that is kept in `settings`: an access level wins over the older switch of the same part. */
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

/** The topics that are given by either name; null when none of them is. */
export function topicsOf({ topics, tag_list: tags }: ProjectAttributesParams): string[] | null {
  const given = topics ?? tags;
  return given ? [...new Set(given.map((topic) => topic.trim()).filter((topic) => topic !== ''))] : null;
}

const ACCENTS = /\p{M}/gu;

/** A path made of a name: lower case, everything but letters and digits a dash. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** What is wrong with a visibility, as v4 clients know the text; null when nothing is. */
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

/** The given visibility, lowered to what a group allows. */
export const cappedVisibility = <V extends string>(visibility: V, cap: V | null): V =>
  cap !== null && rank(visibility) > rank(cap) ? cap : visibility;

/** What is wrong with a level that is asked for what is made of code: it can go no further than that of the code. */
export function levelProblems(
  { builds_access_level: asked }: ProjectAttributesParams,
  settings: Readonly<Record<string, unknown>>,
): Problems {
  if (asked === undefined || asked === partLevel(settings, 'builds')) return {};
  return { builds_access_level: ['cannot have higher visibility level than repository access level'] };
}
