import { EMOJI, TITLES, day, type Made, type PlanningStage } from './stage.js';

type Change = (stage: PlanningStage) => Promise<unknown>;

const at = (stage: PlanningStage, kind?: Made['kind']): Made =>
  stage.one(stage.made.filter((one) => kind === undefined || one.kind === kind));

const projectOf = ({ base }: Made): number => Number(/projects\/(\d+)/.exec(base)?.[1]);

const editThing: Change = async (stage) => {
  const one = at(stage);
  const values =
    one.kind === 'issue'
      ? stage.issueValues(projectOf(one))
      : one.kind === 'epic'
        ? { labels: stage.one(TITLES), confidential: stage.rarely(3) }
        : stage.values(projectOf(one));
  return stage.api.root.put(one.base, {
    ...values,
    ...(stage.rarely(3) && { milestone_id: null, assignee_ids: [] }),
  });
};

const turnState: Change = (stage) =>
  stage.api.root.put(at(stage).base, { state_event: stage.one(['close', 'close', 'reopen']) });

const award: Change = async (stage) => {
  const one = at(stage);
  const name = stage.one(EMOJI);
  const who = stage.next(6);
  const { status, body } = await stage
    .client(who)
    .post<{ user: { id: number } }>(`${one.base}/award_emoji`, { name });
  if (status === 201) one.emoji.set(body.user.id, [...(one.emoji.get(body.user.id) ?? []), name]);
};

const approve: Change = (stage) =>
  stage
    .client(stage.one([0, 3, 'root'] as const))
    .post(`${at(stage, 'merge_request').base}/${stage.one(['approve', 'approve', 'unapprove'])}`);

const addRule: Change = (stage) =>
  stage.api.root.post(`${at(stage, 'merge_request').base}/approval_rules`, {
    name: `rule ${stage.next(1000)}`,
    approvals_required: 1,
    user_ids: [stage.people[stage.one([0, 3])]?.id],
  });

const merge: Change = (stage) => stage.api.root.put(`${at(stage, 'merge_request').base}/merge`);

const deploy: Change = async (stage) => {
  const project = stage.one(stage.coded);
  const { root } = stage.api;
  const environment = stage.one(['production', 'staging']);
  const { body: branch } = await root.get<{ commit: { id: string } }>(
    `/projects/${project}/repository/branches/main`,
  );
  const { status, body } = await root.post<{ id: number }>(`/projects/${project}/deployments`, {
    environment,
    sha: branch.commit.id,
    ref: 'main',
    tag: false,
    status: 'success',
  });
  if (status === 201)
    stage.deployments.push({ base: `/projects/${project}/deployments/${body.id}`, environment });
};

const move: Change = async (stage) => {
  const one = at(stage, 'issue');
  const to = stage.one(stage.projects);
  const { status, body } = await stage.api.root.post<{ iid: number }>(`${one.base}/move`, {
    to_project_id: to,
  });
  if (status !== 201) return;
  const { body: emoji } = await stage.api.root.get<{ name: string; user: { id: number } }[]>(
    `/projects/${to}/issues/${body.iid}/award_emoji`,
  );
  const names = new Map<number, string[]>();
  for (const { name, user } of emoji) names.set(user.id, [...(names.get(user.id) ?? []), name]);
  stage.made.push({ ...one, base: `/projects/${to}/issues/${body.iid}`, emoji: names });
};

const editMilestone: Change = async (stage) => {
  const { base } = stage.one(stage.milestones);
  if (stage.rarely(8)) return stage.api.root.delete(base);
  return stage.api.root.put(
    base,
    stage.one<object>([
      { state_event: 'close' },
      { state_event: 'activate' },
      { due_date: day(1 + stage.next(5)) },
      { start_date: null },
      { due_date: null },
      { title: stage.one(['now', 'next', 'shut', 'past']) },
    ]),
  );
};

const editLabel: Change = async (stage) => {
  const base = stage.one([
    ...stage.projects.map((id) => `/projects/${id}`),
    ...stage.groups.map((id) => `/groups/${id}`),
  ]);
  const { root } = stage.api;
  const path = `${base}/labels/${stage.one(TITLES)}`;
  if (stage.rarely(8)) return root.delete(path);
  if (stage.rarely(4)) return root.put(path, { new_name: stage.one(TITLES) });
  if (stage.rarely(3)) return root.post(`${base}/labels`, { name: stage.one(TITLES), color: '#445566' });
  return root.put(path, { priority: stage.next(3) });
};

const promote: Change = async (stage) => {
  const one = stage.one(stage.milestones);
  const { status, body } = await stage.api.root.post<{ id: number; group_id: number }>(`${one.base}/promote`);
  if (status === 200 || status === 201)
    stage.milestones.push({ id: body.id, base: `/groups/${body.group_id}/milestones/${body.id}` });
};

const editPlace: Change = async (stage) => {
  const { root } = stage.api;
  const project = `/projects/${stage.one(stage.projects)}`;
  if (stage.rarely(3)) return root.post(`${project}/${stage.one(['archive', 'unarchive', 'unarchive'])}`);
  if (stage.rarely(2))
    return root.put(project, {
      [stage.one(['issues_access_level', 'merge_requests_access_level'])]: stage.one([
        'enabled',
        'enabled',
        'private',
        'disabled',
      ]),
    });
  return root.put(project, { visibility: stage.one(['private', 'internal', 'public']) });
};

const transfer: Change = (stage) =>
  stage.api.root.put(`/projects/${stage.one(stage.projects)}/transfer`, {
    namespace: stage.one(stage.groups),
  });

const editMember: Change = async (stage) => {
  const { root } = stage.api;
  const user = stage.one(stage.people).id;
  const base = stage.one([
    ...stage.projects.map((id) => `/projects/${id}`),
    ...stage.groups.map((id) => `/groups/${id}`),
  ]);
  if (stage.rarely(3)) return root.delete(`${base}/members/${user}`);
  const level = { user_id: user, access_level: stage.one([10, 10, 20, 30]) };
  const { status } = await root.post(`${base}/members`, level);
  return status === 201 ? null : root.put(`${base}/members/${user}`, level);
};

const add: Change = (stage) =>
  stage.one([() => stage.buildIssue(), () => stage.buildMergeRequest(), () => stage.buildEpic()])();

const remove: Change = (stage) => stage.api.root.delete(at(stage).base);

const CHANGES: readonly Change[] = [
  ...[
    editThing,
    editThing,
    editThing,
    editThing,
    turnState,
    turnState,
    award,
    award,
    approve,
    approve,
    addRule,
  ],
  ...[
    merge,
    deploy,
    move,
    editMilestone,
    editLabel,
    editLabel,
    promote,
    editPlace,
    transfer,
    editMember,
    add,
    remove,
  ],
];

/** Changes something, as the administrator or one of the people; what cannot be done is refused. */
export async function changeSomething(stage: PlanningStage): Promise<void> {
  await stage.one(CHANGES)(stage);
}
