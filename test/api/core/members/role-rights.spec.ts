import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { meansUserSql } from '#core/environments/protection/protection.sql.js';
import { qualifiedGroups, qualifiedUsers } from '#core/environments/protection/qualified.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { meSql, SEEN } from '#core/merge-requests/approvals/approvals.queries.js';
import { COUNTS, STANDS } from '#core/merge-requests/approvals/approved.sql.js';
import { EVERYBODY, NAMED_BY } from '#core/notes/participants/mentions.service.js';
import { pushersAmong } from '#core/repositories/protection/protection-rights.service.js';
import { ALLOWED } from '#core/repositories/protection/protections.queries.js';
import { managesSql, readableProjectsSql } from '#features/runners/admin/runner-rights.sql.js';
import { RunnersQueries } from '#features/runners/admin/runners.queries.js';
import type { TestApi } from '../../../support/api.js';
import { idsSql, RoleReport } from '../../../support/role-report.js';
import { ofGroups, ofProjects, RoleStage } from '../../../support/role-stage.js';
import { LEVEL, SIZE, type RoleModel } from '../../../support/role-world.js';

const EVERYONE = [...Array(SIZE.users).keys()];

let stage: RoleStage;
let api: TestApi;
beforeAll(async () => {
  stage = await RoleStage.start();
  ({ api } = stage);
});
afterAll(() => api.close());

async function compare(model: RoleModel): Promise<void> {
  const report = new RoleReport(stage, model);
  const role = (u: number, p: number): number => model.projectRole(u, p);
  const groupRole = (u: number, g: number): number => model.groupRole(u, g);
  const isActive = (u: number): boolean => !model.user(u).blocked;
  const isAdmin = (u: number): boolean => model.user(u).admin;
  const gone = (p: number): boolean => model.isProjectGone(p);

  // Runners.
  await report.says(
    'runners of projects',
    `select u.id u, q.project_id p from users u, ci_runners r join ci_runner_projects q on q.runner_id = r.id
    where ${report.users} and ${managesSql('u.id')}`,
    ofProjects((u, p) => !gone(p) && role(u, p) >= LEVEL.Maintainer),
  );
  await report.says(
    'runners of groups',
    `select u.id u, q.group_id g from users u, ci_runners r join ci_runner_groups q on q.runner_id = r.id
    where ${report.users} and ${managesSql('u.id')}`,
    ofGroups((u, g) => !model.isGone(g) && groupRole(u, g) >= LEVEL.Owner),
  );
  await report.each(
    'own runners of groups',
    ofGroups((u, g) => !model.isGone(g) && groupRole(u, g) >= LEVEL.Owner),
    async (user) => {
      const { text, values } = api.app
        .get(RunnersQueries)
        .own(report.actorOf(user), {})
        .pageStatement(100, 0);
      return stage.ask(
        `select q.group_id g from (${text}) x join ci_runner_groups q on q.runner_id = x.id`,
        values,
      );
    },
  );
  await report.says(
    'jobs of runners',
    `select distinct u.id u, x.id p from users u, ci_runners r cross join lateral (${readableProjectsSql('u.id')}) x
    where ${report.users}`,
    ofProjects(
      (u, p) => !gone(p) && model.project(p).repository !== 'disabled' && role(u, p) >= LEVEL.Reporter,
    ),
  );

  // Protections and approvals; here of the first group and project.
  const [firstGroup, firstProject] = [stage.groups[0], stage.projects[0]];
  const entries = (
    rows: string,
  ): string => `(${rows}) e (user_id, access_level, group_id, group_inheritance_type)
    cross join (values (${firstProject}::bigint, null::bigint)) pe (project_id, group_id)`;
  const inGroup =
    (direct: boolean) =>
    (u: number, g: number): boolean =>
      isAdmin(u) ||
      (role(u, 0) >= LEVEL.Guest &&
        !model.isGone(g) &&
        (direct ? model.direct(u, 'Namespace', g) : groupRole(u, g)) >= LEVEL.Guest);
  for (const [type, direct] of [
    [0, true],
    [1, false],
  ] as const)
    await report.says(
      `deployers of groups ${type}`,
      `select u.id u, e.group_id g from users u, projects p join namespaces n on n.id = p.namespace_id,
      ${entries(`select null::bigint, null::int, id, ${type} from namespaces where id = any(${idsSql(stage.groups)})`)}
      where ${report.users} and p.id = ${firstProject} and ${meansUserSql('e', 'u.admin')}`,
      ofGroups(inGroup(direct)),
    );
  await report.says(
    'deployers by role',
    `select u.id u, p.id p from users u, projects p join namespaces n on n.id = p.namespace_id,
    ${entries('values (null::bigint, 30, null::bigint, 0)')} where ${report.users} and p.id = ${firstProject} and ${meansUserSql('e', 'u.admin')}`,
    ofProjects((u, p) => p === 0 && (isAdmin(u) || role(u, 0) >= LEVEL.Developer)),
  );
  const allowed = ALLOWED.replaceAll('$2', 'u.id').replaceAll('$3', projectRoleSql('u.id', 'p', 'n'));
  await report.says(
    'pushers of groups',
    `select u.id u, l.group_id g from users u, projects p join namespaces n on n.id = p.namespace_id,
    (select null::int access_level, null::bigint user_id, id group_id from namespaces where id = any(${idsSql(stage.groups)})) l
    where ${report.users} and p.id = ${firstProject} and ${allowed}`,
    ofGroups(
      (u, g) => !model.isGone(g) && role(u, 0) >= LEVEL.Developer && groupRole(u, g) >= LEVEL.Developer,
    ),
  );
  await api.app.get(Transactions).run(async (tx) => {
    const named = async (
      name: string,
      rows: Promise<ReadonlySet<number>>,
      kind: 'u' | 'g',
      lines: string[],
    ): Promise<void> => {
      report.note(name, stage.name([...(await rows)].map((id) => ({ [kind]: id }))), lines);
    };
    const people = (rule: (u: number) => boolean): string[] => EVERYONE.filter(rule).map((u) => `u${u}`);
    const inProject = { projectId: firstProject ?? 0, groupId: null } as never;
    const inFirst = { projectId: null, groupId: firstGroup ?? 0 } as never;
    await named(
      'named pushers',
      pushersAmong(tx, firstProject ?? 0, stage.users),
      'u',
      people((u) => role(u, 0) >= LEVEL.Developer),
    );
    await named(
      'named deployers',
      qualifiedUsers(tx, inProject, stage.users),
      'u',
      people((u) => role(u, 0) >= LEVEL.Guest),
    );
    await named(
      'named in groups',
      qualifiedUsers(tx, inFirst, stage.users),
      'u',
      people((u) => groupRole(u, 0) >= LEVEL.Maintainer),
    );
    const invited = (groups: number[], project: number | null): number[] =>
      model.world.shares
        .filter(({ days }) => days === null || days > 0)
        .filter(({ place }) => (place.type === 'Project' ? place.of === project : groups.includes(place.of)))
        .map(({ group }) => group);
    const listed = (of: number[]): string[] =>
      [...new Set(of)]
        .filter((g) => !model.isGone(g))
        .map((g) => `g${g}`)
        .sort();
    await named(
      'groups of the project',
      qualifiedGroups(tx, inProject, stage.groups),
      'g',
      listed([...model.around(0), ...invited(model.around(0), 0)]),
    );
    const below = [...Array(SIZE.groups).keys()].filter((g) => model.above(g).includes(0));
    await named(
      'groups of the group',
      qualifiedGroups(tx, inFirst, stage.groups),
      'g',
      listed([...below, ...invited(model.above(0), null)]),
    );
  });
  const approval = `users u cross join lateral (select u.id user_id, null::boolean as_admin) a
    cross join (values (${firstProject}::bigint, null::bigint)) m (project_id, author_id)`;
  const stands = (u: number): boolean => isActive(u) && (isAdmin(u) || role(u, 0) >= LEVEL.Developer);
  await report.says(
    'approvals that stand',
    `select u.id u, m.project_id p from ${approval} where ${report.users} and ${STANDS}`,
    ofProjects((u, p) => p === 0 && stands(u)),
  );
  await report.says(
    'approvals for rules',
    `select u.id u, q.group_id g from ${approval}, approval_rules r join approval_rule_groups q on q.approval_rule_id = r.id
    where ${report.users} and ${COUNTS}`,
    ofGroups(
      (u, g) =>
        stands(u) && !model.user(u).bot && !model.isGone(g) && model.direct(u, 'Namespace', g) > LEVEL.None,
    ),
  );
  await report.says(
    'groups of rules',
    `select u.id u, g.id g from users u cross join lateral ${meSql('u.id', 'u.admin')}, namespaces g
    where ${report.users} and g.id = any(${idsSql(stage.groups)}) and not g.pending_delete and ${SEEN}`,
    ofGroups((u, g) => model.seesGroup(u, g)),
  );

  // Mentions.
  const paths = stage.groups.map((_, index) => `role-group-${index}`);
  await report.each(
    'groups that may be mentioned',
    ofGroups(
      (u, g) =>
        model.seesGroup(u, g) &&
        EVERYONE.some((one) => isActive(one) && model.direct(one, 'Namespace', g) > LEVEL.None),
    ),
    (user) => stage.ask(`select distinct x.via g from (${NAMED_BY}) x`, [paths, stage.users[user], null]),
  );
  const all = await Promise.all(stage.projects.map((p) => api.sql<{ id: number }>(EVERYBODY, [p, null])));
  const everybody = all.flatMap((rows, p) =>
    stage.name(rows.map(({ id }) => ({ u: id, p: stage.projects[p] ?? 0 }))),
  );
  report.note(
    'everybody',
    everybody.sort(),
    ofProjects(
      (u, p) =>
        isActive(u) &&
        (model.project(p).home === SIZE.groups + u ||
          model.direct(u, 'Project', p) > 0 ||
          model.around(p).some((g) => model.direct(u, 'Namespace', g) > 0)),
    ),
  );

  expect(report.found).toEqual(report.expected);
}

describe('SQL of rights', () => {
  it('says what a role entitles to, in any world', () => stage.playAll(80, compare));
});
