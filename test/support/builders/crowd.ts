import { ASKED_FOR, inParallel, type Installation, type Member } from '../installation.js';

/** A group with many projects, each with an environment and deployments. */
export interface Crowd {
  readonly groupId: number;
  readonly projectIds: readonly number[];
}

/** Creates a group and projects through an api process, and their deployments by SQL. */
export async function buildCrowd(
  installation: Installation,
  { client }: Member,
  path: string,
  projects: number,
  deployments = 0,
): Promise<Crowd> {
  const group = await client.post<{ id: number }>('/groups', { name: path, path });
  const projectIds = await inParallel(
    projects,
    async (number) => {
      const values = { name: `p${number}`, namespace_id: group.body.id };
      const { status, text, body } = await client.post<{ id: number }>('/projects', values);
      if (status !== 201) throw new Error(`Project not created: ${status} ${text}`);
      return body.id;
    },
    8,
  );
  if (deployments > 0) {
    const made = await client.post(`/projects/${projectIds[0]}/deployments`, {
      environment: 'production',
      ref: 'main',
      sha: '1'.repeat(40),
      tag: false,
      status: 'success',
    });
    if (made.status !== 201) throw new Error(`Deployment not created: ${made.status} ${made.text}`);
    await installation.sql(
      `insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status, created_at, updated_at)
       select project_id, environment_id, n + 1, user_id, ref, sha, tag, status, created_at, updated_at
       from deployments, generate_series(1, $2::int) n where project_id = $1`,
      [projectIds[0], deployments],
    );
  }
  return { groupId: group.body.id, projectIds };
}

/** Counts the remaining rows of a crowd in all tables that refer to its projects or groups. */
export async function remainsOf(
  installation: Installation,
  { groupId, projectIds }: Crowd,
): Promise<unknown> {
  const [row] = await installation.sql<Record<string, unknown>>(
    `select (select count(*) from namespaces where id = $1)::int as groups,
      (select count(*) from projects where id = any($2))::int as projects,
      (select count(*) from routes where source_type = 'Project' and source_id = any($2))::int as routes,
      (select count(*) from members where source_type = 'Namespace' and source_id = $1)::int as members,
      (select count(*) from deployments where project_id = any($2))::int as deployments,
      (select count(*) from environments where project_id = any($2))::int as environments,
      (select count(*) from background_jobs where ${ASKED_FOR})::int as jobs`,
    [groupId, projectIds],
  );
  return row;
}

/** Result of `remainsOf` if nothing remains. */
export const NOTHING = {
  groups: 0,
  projects: 0,
  routes: 0,
  members: 0,
  deployments: 0,
  environments: 0,
  jobs: 0,
};
