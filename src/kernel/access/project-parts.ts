import type { ProjectFeature } from './access.js';
import type { Caller } from './caller.js';
import { Role } from './roles.js';

/** Who can use a part: nobody, members, or whoever sees the project. */
export type PartLevel = 'disabled' | 'private' | 'enabled';

/** What is made of code is open no further than the code, whatever level of its own is stored. */
const MADE_OF_CODE: Readonly<Partial<Record<ProjectFeature, string>>> = {
  builds: 'builds',
  deployments: 'environments',
};

/** Names of the settings that say who can use the part: the lowest of them counts. */
export const levelSettings = (part: ProjectFeature): readonly string[] => {
  const own = MADE_OF_CODE[part];
  const names = own === undefined ? [part] : [own, 'repository'];
  return names.map((name) => `${name}_access_level`);
};

/** The level of a part by the settings of a project or group; parts without one are enabled. */
export function partLevel(settings: Readonly<Record<string, unknown>>, part: ProjectFeature): PartLevel {
  const levels = levelSettings(part).map((name) => settings[name]);
  if (levels.includes('disabled')) return 'disabled';
  return levels.includes('private') ? 'private' : 'enabled';
}

/** Whether the part of the subject is there for the caller: kept to members, it is for any role. */
export function mayUsePart(
  { subject, role }: Pick<Caller, 'subject' | 'role'>,
  part: ProjectFeature,
): boolean {
  if (subject === null) return true;
  const level = partLevel(subject.settings, part);
  return level === 'enabled' || (level === 'private' && role >= Role.Guest);
}

/** Whether the subject is open to the caller without any role: external users are let into what is public alone. */
export const isOpenTo = ({ subject, actor }: Caller): boolean =>
  subject?.visibility === 'public' ||
  (subject?.visibility === 'internal' && actor !== null && !actor.external);

/** Whether the caller may read the code of the project of the request, by the rule of its routes. */
export const maySeeCode = (caller: Caller): boolean =>
  mayUsePart(caller, 'repository') && (caller.role >= Role.Reporter || isOpenTo(caller));

/** Whether the caller may read the jobs of the project of the request: below Reporter as long as its jobs are public. */
export const mayReadJobs = ({ role, subject }: Caller): boolean =>
  role >= Role.Reporter || (subject?.settings['public_jobs'] ?? true) === true;

/** The same where the route is about another part of the project. */
export const mayReadPipelines = (caller: Caller): boolean =>
  mayUsePart(caller, 'builds') && mayReadJobs(caller);
