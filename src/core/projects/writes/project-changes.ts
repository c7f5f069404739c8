import type { AuditChange } from '#core/audit/audit-log.service.js';
import type { Project } from '../project.entity.js';

/** Columns whose changes are audited, by the names that v4 clients know. */
const AUDITED = {
  name: 'name',
  path: 'path',
  visibility: 'visibility_level',
  archived: 'archived',
} as const;

type Audited = Pick<Project, keyof typeof AUDITED>;

const columns = Object.keys(AUDITED) as (keyof Audited)[];

/** Returns the present values, to compare with later. */
export const auditedColumns = (project: Audited): Audited =>
  Object.fromEntries(columns.map((column) => [column, project[column]])) as unknown as Audited;

/** Returns an audit entry for each audited column that differs. */
export function auditedChanges(former: Audited, present: Audited): AuditChange[] {
  return columns
    .filter((column) => former[column] !== present[column])
    .map((column) => ({ change: AUDITED[column], from: former[column], to: present[column] }));
}
