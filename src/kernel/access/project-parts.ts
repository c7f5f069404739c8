import type { ProjectFeature } from './access.js';
import type { Actor, Caller } from './caller.js';
import { Role } from './roles.js';

/** Who can use a feature: nobody, members, or everyone who can see the project. */
export type PartLevel = 'disabled' | 'private' | 'enabled';

/** Features based on code are not more accessible than the code itself, even if their own stored level is higher. */
const MADE_OF_CODE: Readonly<Partial<Record<ProjectFeature, string>>> = {
  builds: 'builds',
  deployments: 'environments',
};

/** Names of the settings that control the access to a feature; the most restrictive one applies. */
export const levelSettings = (part: ProjectFeature): readonly string[] => {
  const own = MADE_OF_CODE[part];
  const names = own === undefined ? [part] : [own, 'repository'];
  return names.map((name) => `${name}_access_level`);
};

/** Returns the access level of a feature from the settings of a project or group; enabled if it has none. */
export function partLevel(settings: Readonly<Record<string, unknown>>, part: ProjectFeature): PartLevel {
  const levels = levelSettings(part).map((name) => settings[name]);
  if (levels.includes('disabled')) return 'disabled';
  return levels.includes('private') ? 'private' : 'enabled';
}

/**
 * Whether a feature of the subject is available to the caller; if restricted to members, any role is enough.
 */
export function mayUsePart(
  { subject, role }: Pick<Caller, 'subject' | 'role'>,
  part: ProjectFeature,
): boolean {
  if (subject === null) return true;
  const level = partLevel(subject.settings, part);
  return level === 'enabled' || (level === 'private' && role >= Role.Guest);
}

/** Whether this visibility admits the user without any role; for external users it must be public. */
export const admits = (visibility: string | undefined, actor: Pick<Actor, 'external'> | null): boolean =>
  visibility === 'public' || (visibility === 'internal' && actor?.external === false);

/** Whether the subject is accessible to the caller without any role. */
export const isOpenTo = ({ subject, actor }: Caller): boolean => admits(subject?.visibility, actor);

/** Whether the caller may read the code of the requested project, by the rule of its routes. */
export const maySeeCode = (caller: Caller): boolean =>
  mayUsePart(caller, 'repository') && (caller.role >= Role.Reporter || isOpenTo(caller));

/**
 * Whether the caller may read the jobs of the requested project; below Reporter only if its jobs are public.
 */
export const mayReadJobs = ({ role, subject }: Caller): boolean =>
  role >= Role.Reporter || (subject?.settings['public_jobs'] ?? true) === true;

/** The same for routes about another feature of the project. */
export const mayReadPipelines = (caller: Caller): boolean =>
  mayUsePart(caller, 'builds') && mayReadJobs(caller);
