import { until } from '../until.js';
import type { Facts, GroupFacts, Kind, MilestoneFacts, ProjectFacts, ThingFacts } from './facts.js';
import type { Made, PlanningStage } from './stage.js';

/** Deployments learn from a job what they ship. */
const WAITING = `select 1 from background_jobs
  where name = 'deployments.link_merge_requests' and state in ('pending', 'handed', 'running')`;

type Found = <T>(path: string) => Promise<T | null>;

interface Labelled {
  readonly id: number;
  readonly labels: readonly { readonly id: number }[];
}

/** Reads everything on a stage by single records, as the administrator. */
export async function readFacts(stage: PlanningStage): Promise<Facts> {
  const found: Found = async <T>(path: string) => {
    const { status, body } = await stage.api.root.get<T>(path);
    return status === 200 ? body : null;
  };
  const groups = await byId(stage.groups, (id) => readGroup(found, id));
  const projects = await byId(stage.projects, (id) => readProject(found, id));
  await findMilestones(found, stage);
  const milestones = await Promise.all(stage.milestones.map(({ base }) => found<MilestoneFacts>(base)));
  const shipped = await readShipped(found, stage);
  const labels = new Map<string, readonly number[]>();
  for (const kind of ['issue', 'merge_request'] as const) {
    const path = `/${kind}s?scope=all&non_archived=false&per_page=100&with_labels_details=true`;
    for (const one of (await found<Labelled[]>(path)) ?? [])
      labels.set(
        `${kind} ${one.id}`,
        one.labels.map(({ id }) => id),
      );
  }
  const things: Record<Kind, ThingFacts[]> = { issue: [], merge_request: [], epic: [] };
  const read = await Promise.all(
    stage.made.map(async (one) => {
      const thing = await found<ThingFacts>(one.base);
      return thing && { ...one, ...thing, ...(await readApprovals(found, one)) };
    }),
  );
  for (const one of read)
    if (one)
      things[one.kind].push({
        ...one,
        environments: shipped.get(one.base) ?? [],
        labelIds: labels.get(`${one.kind} ${one.id}`) ?? [],
      });
  return { groups, projects, milestones: milestones.filter((one) => one !== null), things };
}

async function byId<T>(
  ids: readonly number[],
  read: (id: number) => Promise<T | null>,
): Promise<Map<number, T>> {
  const all = await Promise.all(ids.map(async (id) => [id, await read(id)] as const));
  return new Map(all.flatMap(([id, one]) => (one === null ? [] : [[id, one] as const])));
}

async function readMembers(found: Found, place: string): Promise<Map<number, number>> {
  const rows = await found<{ id: number; access_level: number }[]>(`${place}/members?per_page=100`);
  return new Map(rows?.map(({ id, access_level: level }) => [id, level]));
}

async function readGroup(found: Found, id: number): Promise<GroupFacts | null> {
  const group = await found<GroupFacts>(`/groups/${id}`);
  return group && { ...group, members: await readMembers(found, `/groups/${id}`) };
}

async function readProject(found: Found, id: number): Promise<ProjectFacts | null> {
  const project = await found<ProjectFacts>(`/projects/${id}`);
  const path = `/projects/${id}/labels?per_page=100`;
  const labels = await found<{ name: string; priority: number | null }[]>(path);
  const priorities = labels?.flatMap(({ name, priority }) =>
    priority === null ? [] : [[name, priority] as const],
  );
  return (
    project && {
      ...project,
      members: await readMembers(found, `/projects/${id}`),
      priorities: new Map(priorities),
    }
  );
}

/** A transfer copies milestones of groups. */
async function findMilestones(found: Found, { groups, projects, milestones }: PlanningStage): Promise<void> {
  for (const place of [...groups.map((id) => `/groups/${id}`), ...projects.map((id) => `/projects/${id}`)])
    for (const { id } of (await found<{ id: number }[]>(`${place}/milestones?per_page=100`)) ?? [])
      if (!milestones.some((one) => one.id === id))
        milestones.push({ id, base: `${place}/milestones/${id}` });
}

/** Names of environments by the paths of what was deployed there. */
async function readShipped(
  found: Found,
  { api, deployments }: PlanningStage,
): Promise<Map<string, string[]>> {
  await until(async () => (await api.sql(WAITING)).length === 0);
  const shipped = new Map<string, string[]>();
  for (const { base, environment } of deployments) {
    const rows = await found<{ iid: number; project_id: number }[]>(`${base}/merge_requests`);
    for (const { iid, project_id: project } of rows ?? []) {
      const path = `/projects/${project}/merge_requests/${iid}`;
      shipped.set(path, [...(shipped.get(path) ?? []), environment]);
    }
  }
  return shipped;
}

async function readApprovals(
  found: Found,
  { kind, base }: Made,
): Promise<Pick<ThingFacts, 'approvedBy' | 'approvers'>> {
  if (kind !== 'merge_request') return { approvedBy: [], approvers: [] };
  const approvals = await found<{ approved_by: { user: { id: number } }[] }>(`${base}/approvals`);
  const rules = await found<{ users: { id: number }[] }[]>(`${base}/approval_rules`);
  return {
    approvedBy: approvals?.approved_by.map(({ user }) => user.id) ?? [],
    approvers: rules?.flatMap(({ users }) => users.map(({ id }) => id)) ?? [],
  };
}
