import type { AuditChange } from '#core/audit/audit-log.service.js';
import { isDeepStrictEqual } from 'node:util';
import type { Project } from '../project.entity.js';
import { PREMIUM_DEFAULTS } from '../settings/premium-settings.js';
import { PROJECT_DEFAULTS } from '../settings/project-settings.js';

/** Columns whose changes are audited, by the names that v4 clients know. */
const AUDITED = {
  name: 'name',
  path: 'path',
  visibility: 'visibility_level',
  archived: 'archived',
} as const;

type Column = keyof typeof AUDITED;
type Audited = Pick<Project, Column | 'settings'>;

const columns = Object.keys(AUDITED) as Column[];

const DEFAULTS: Readonly<Record<string, unknown>> = { ...PROJECT_DEFAULTS, ...PREMIUM_DEFAULTS };

/** Texts that only fill new issues and merge requests, and may be long. */
const TEMPLATES = new Set<string>(['issues_template', 'merge_requests_template']);

const names = Object.keys(DEFAULTS).filter((name) => !TEMPLATES.has(name));

/** Returns the present values, to compare with later. */
export const auditedColumns = ({ name, path, visibility, archived, settings }: Audited): Audited => ({
  name,
  path,
  visibility,
  archived,
  settings,
});

/** Returns an audit entry for each audited column and each setting that differs. */
export function auditedChanges(former: Audited, present: Audited): AuditChange[] {
  const from: Readonly<Record<string, unknown>> = { ...DEFAULTS, ...former.settings };
  const to: Readonly<Record<string, unknown>> = { ...DEFAULTS, ...present.settings };
  return [
    ...columns
      .filter((column) => former[column] !== present[column])
      .map((column) => ({ change: AUDITED[column], from: former[column], to: present[column] })),
    ...names
      .filter((name) => !isDeepStrictEqual(from[name], to[name]))
      .map((name) => ({ change: name, from: from[name], to: to[name] })),
  ];
}
