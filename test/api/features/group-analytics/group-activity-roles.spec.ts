import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { insertMergeRequest } from '../../../support/builders/event.js';
import { RoleStage } from '../../../support/role-stage.js';
import { LEVEL, SIZE, type RoleModel } from '../../../support/role-world.js';

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const [PEOPLE, GROUPS, PROJECTS] = [range(SIZE.users), range(SIZE.groups), range(SIZE.projects)];

let stage: RoleStage;
let paths: ReadonlyMap<number, string>;
beforeAll(async () => {
  stage = await RoleStage.start();
  const { api } = stage;
  for (const project of stage.projects) await insertMergeRequest(api, project, 1);
  const rows = await api.sql<{ id: number; path: string }>('select id, full_path as path from namespaces');
  paths = new Map(rows.map(({ id, path }) => [id, path]));
});
afterAll(() => stage.api.close());

/** What a group and those below it have, as far as the viewer may read it. */
function expected(model: RoleModel, viewer: number, g: number): readonly number[] {
  const below = GROUPS.filter((one) => model.above(one).includes(g) && !model.isGone(one));
  const contained = PROJECTS.filter((p) => below.includes(model.project(p).home) && !model.isProjectGone(p));
  const issues = contained.map((p): number => {
    if (!model.reads(viewer, p, 'issues', LEVEL.Guest)) return 0;
    return model.readsSecret(viewer, p) ? 2 : 1;
  });
  const merges = contained.filter(
    (p) =>
      model.isOpen(viewer, model.project(p)) ||
      model.user(viewer).admin ||
      model.projectRole(viewer, p) >= LEVEL.Reporter,
  );
  const seen = below.filter((one) => model.seesGroup(viewer, one));
  const members = PEOPLE.filter(
    (u) => !model.user(u).bot && seen.some((one) => model.direct(u, 'Namespace', one) > LEVEL.None),
  );
  return [issues.reduce((sum, count) => sum + count, 0), merges.length, members.length];
}

it('counts what the viewer may read, in any world', () =>
  stage.playAll(24, async (model, { viewer }) => {
    if (model.user(viewer).blocked) return;
    const client = stage.api.as(stage.tokens[viewer] ?? '');
    const isAdmin = model.user(viewer).admin;
    for (const g of GROUPS) {
      const path = encodeURIComponent(paths.get(stage.groups[g] ?? 0) ?? '');
      const answers = await Promise.all(
        ['issues', 'merge_requests', 'new_members'].map((metric) =>
          client.get<Record<string, number>>(`/analytics/group_activity/${metric}_count?group_path=${path}`),
        ),
      );
      const found = answers.map(({ status, body }) => (status === 200 ? Object.values(body)[0] : status));
      const mayCount =
        isAdmin || model.groupRole(viewer, g) >= LEVEL.Guest || model.isOpen(viewer, model.group(g));
      const isSeen = model.seesGroup(viewer, g);
      const wanted = isSeen && mayCount ? expected(model, viewer, g) : Array(3).fill(isSeen ? 403 : 404);
      expect([g, ...found]).toEqual([g, ...wanted]);
    }
  }));
