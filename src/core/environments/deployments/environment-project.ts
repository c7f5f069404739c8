import { Nested } from '#kernel/http/fields/composite-fields.js';
import type { Links } from '#kernel/http/links.js';
import { presentSimpleProject } from '#core/projects/records/project-simple.presenter.js';
import { ProjectSimpleRecord } from '#core/projects/records/project-simple.record.js';
import { PROJECT_FROM, SIMPLE_COLUMNS, type ProjectSimpleRow } from '#core/projects/project.row.js';
import { EnvironmentFields, presentEnvironment, type EnvironmentRow } from '../environment.record.js';

/** An environment with its project. */
export class EnvironmentRecord extends EnvironmentFields {
  @Nested(() => ProjectSimpleRecord)
  project!: ProjectSimpleRecord;
}

/** Row of a project as JSON, in which times are texts. */
type ProjectJson = {
  readonly [Key in keyof ProjectSimpleRow]: ProjectSimpleRow[Key] extends Date
    ? string
    : ProjectSimpleRow[Key];
};

/** Row of an `EnvironmentRecord`. */
export interface EnvironmentOfProjectRow extends EnvironmentRow {
  readonly project: ProjectJson;
}

/** Column with the project of an environment `e`, so that a list needs only one statement. */
export const ENVIRONMENT_PROJECT_COLUMN = `(select to_jsonb(simple) from (
  select ${SIMPLE_COLUMNS} from ${PROJECT_FROM} where p.id = e.project_id) simple) as project`;

/** Presents environments of one project, whose record is created once. */
export function presentEnvironments(
  rows: readonly EnvironmentOfProjectRow[],
  links: Links,
): EnvironmentRecord[] {
  const [first] = rows;
  if (!first) return [];
  const project = presentSimpleProject(revived(first.project), links);
  return rows.map((row) => Object.assign(presentEnvironment(row), { project }));
}

const revived = (project: ProjectJson): ProjectSimpleRow => ({
  ...project,
  created_at: new Date(project.created_at),
  last_activity_at: new Date(project.last_activity_at),
});
