import { expect } from '@jest/globals';
import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';
import { buildGroup, type BuiltGroup } from './group.js';
import { buildProject } from './project.js';
import { buildProjectTeam, type ProjectTeam } from './project-team.js';

/** Facts about a label for the tests. */
export interface Label {
  readonly id: number;
  readonly name: string;
  readonly priority: number | null;
}

/** Labels of a project with a team, and of a public group with a project in it. */
export class LabelWorld {
  private constructor(
    private readonly api: TestApi,
    readonly team: ProjectTeam,
    readonly group: BuiltGroup,
    /** The project of the group. */
    readonly shop: number,
  ) {}

  static async build(api: TestApi): Promise<LabelWorld> {
    const team = await buildProjectTeam(api);
    const group = await buildGroup(api, { visibility: 'public' });
    const { id } = await buildProject(api.root, { namespace_id: group.id, visibility: 'public' });
    return new LabelWorld(api, team, group, id);
  }

  /** Path of the labels of a project, or of one label by id or name. */
  readonly at = (label: string | number = '', project = this.team.projectId): string =>
    `/projects/${project}/labels${label === '' ? '' : `/${encodeURIComponent(label)}`}`;

  /** Path of the labels of a group, or of one label by id or name. */
  readonly ofGroup = (label: string | number = '', group = this.group.id): string =>
    `/groups/${group}/labels${label === '' ? '' : `/${encodeURIComponent(label)}`}`;

  /** Creates a label as the administrator. */
  readonly make = async (path: string, name: string, values: object = {}): Promise<Label> => {
    const answer = await this.api.root.post<Label>(path, { name, color: '#FFAABB', ...values });
    expect([answer.status, answer.body]).toMatchObject([201, { name }]);
    return answer.body;
  };

  /** Names of a list of labels, in its order. */
  readonly names = async (path: string, client: ApiClient = this.api.root): Promise<string[]> =>
    (await client.get<Label[]>(path)).body.map(({ name }) => name);

  /** Adds an issue with a label. */
  async addIssue(
    project: number,
    labelId: number,
    { state = 'opened', confidential = false }: { state?: string; confidential?: boolean } = {},
  ): Promise<void> {
    const [issue] = await this.api.sql<{ id: number }>(
      `insert into issues (project_id, iid, title, state, confidential)
       select $1, coalesce(max(iid), 0) + 1, 'Broken', $2, $3 from issues where project_id = $1 returning id`,
      [project, state, confidential],
    );
    await this.api.sql('insert into issue_labels (issue_id, label_id) values ($1, $2)', [issue?.id, labelId]);
  }
}
