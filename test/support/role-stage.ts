import fc from 'fast-check';
import type { TestApi } from './api.js';
import { addGroup, addProject, addUser } from './builders/instance.js';
import { ROLE_WORLD, RoleModel, SIZE, worlds, type RoleWorld } from './role-world.js';
import { borrowApi } from './shared-api.js';

type Row = Readonly<Partial<Record<'u' | 'g' | 'p', number | null>>> & { readonly r?: number };

type Place = RoleWorld['members'][number]['place'];

const count = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** Plays the worlds of `role-world.ts` in one database, whose users, groups, projects, issues, epics, runners and rules stay. */
export class RoleStage {
  readonly users: number[] = [];
  readonly tokens: string[] = [];
  readonly groups: number[] = [];
  readonly projects: number[] = [];
  /** Namespaces of the first users. */
  readonly personal: number[] = [];

  private constructor(readonly api: TestApi) {}

  /** A stage on a borrowed API, which the caller closes. */
  static async start(): Promise<RoleStage> {
    const stage = new RoleStage(await borrowApi());
    await stage.build();
    return stage;
  }

  /** Plays many worlds; `compare` asserts that the product says of each what the model says. */
  async playAll(all: number, compare: (model: RoleModel, world: RoleWorld) => Promise<void>): Promise<void> {
    await fc.assert(
      fc.asyncProperty(ROLE_WORLD, async (world) => {
        const model = new RoleModel(world);
        await this.play(model);
        await compare(model, world);
      }),
      worlds(all),
    );
  }

  private async build(): Promise<void> {
    const { api } = this;
    for (const index of count(SIZE.users)) {
      const { id, token } = await addUser(api, `role-${index}`);
      this.users.push(id);
      this.tokens.push(token);
    }
    for (const index of count(SIZE.groups)) this.groups.push(await addGroup(api, `role-group-${index}`));
    for (const index of count(SIZE.personal)) {
      const [row] = await api.sql<{ id: number }>(
        `insert into namespaces (type, name, path, full_path, full_name, traversal_ids, owner_id)
         values ('User', $1, $1, $1, $1, '{}', $2) returning id`,
        [`role-${index}`, this.users[index]],
      );
      this.personal.push(row?.id ?? 0);
    }
    for (const index of count(SIZE.projects))
      this.projects.push(await addProject(api, this.groups[0] ?? 0, `role-group-0/p${index}`));
    await api.sql(
      `insert into issues (project_id, iid, title, confidential)
      select p, i, 'Issue', i = 2 from unnest($1::bigint[]) p, generate_series(1, 2) i`,
      [this.projects],
    );
    await api.sql(
      `insert into epics (group_id, iid, title, confidential)
      select g, i, 'Epic', i = 2 from unnest($1::bigint[]) g, generate_series(1, 2) i`,
      [this.groups],
    );
    for (const [kind, ids] of [
      ['group', this.groups],
      ['project', this.projects],
    ] as const) {
      await api.sql(
        `insert into ci_runners (runner_type, token_digest, description)
        select $2 || '_type', decode(md5($2 || x), 'hex'), x::text from unnest($1::bigint[]) x`,
        [ids, kind],
      );
      await api.sql(
        `insert into ci_runner_${kind}s select id, description::bigint from ci_runners where runner_type = $1`,
        [`${kind}_type`],
      );
    }
    await api.sql(
      `insert into approval_rules (project_id, name, approvals_required)
      select $2, g::text, 1 from unnest($1::bigint[]) g`,
      [this.groups, this.projects[0]],
    );
    await api.sql(
      `insert into approval_rule_groups select id, name::bigint from approval_rules where project_id = $1`,
      [this.projects[0]],
    );
  }

  /** Makes the rows those of the world. */
  private async play(model: RoleModel): Promise<void> {
    const { api, groups, projects, users } = this;
    const { world } = model;
    const placed = <One extends { readonly place: Place }>({ place: { type, of }, ...one }: One) => ({
      ...one,
      type,
      source: type === 'Project' ? projects[of] : groups[of],
    });
    await api.sql('delete from members', []);
    await api.sql('delete from group_links', []);
    const trees = groups.map((id, index) => ({
      id,
      tree: model.above(index).map((one) => groups[one]),
      visibility: model.group(index).visibility,
      gone: model.isGone(index),
    }));
    await api.sql(
      `update namespaces n set traversal_ids = x.tree, parent_id = x.tree[cardinality(x.tree) - 1], visibility = x.visibility,
      pending_delete = x.gone from jsonb_to_recordset($1::jsonb) x (id bigint, tree bigint[], visibility text, gone boolean) where n.id = x.id`,
      [JSON.stringify(trees)],
    );
    await api.sql('update namespaces set traversal_ids = array[id] where id = any($1::bigint[])', [
      this.personal,
    ]);
    const homes = projects.map((id, index) => {
      const { home, visibility, issues, repository, author } = model.project(index);
      const settings = { issues_access_level: issues, repository_access_level: repository };
      const namespace = [...groups, ...this.personal][home];
      return { id, namespace, visibility, settings, gone: model.isProjectGone(index), author: users[author] };
    });
    await api.sql(
      `update projects p set namespace_id = x.namespace, visibility = x.visibility, settings = x.settings, pending_delete = x.gone
      from jsonb_to_recordset($1::jsonb) x (id bigint, namespace bigint, visibility text, settings jsonb, gone boolean) where p.id = x.id`,
      [JSON.stringify(homes)],
    );
    await api.sql(
      `update issues i set author_id = x.author from jsonb_to_recordset($1::jsonb) x (id bigint, author bigint)
      where i.project_id = x.id`,
      [JSON.stringify(homes)],
    );
    const people = users.map((id, index) => ({ id, ...model.user(index) }));
    await api.sql(
      `update users u set external = x.external, admin = x.admin, state = case when x.blocked then 'blocked' else 'active' end,
      user_type = case when x.bot then 'project_bot' else 'human' end
      from jsonb_to_recordset($1::jsonb) x (id bigint, external boolean, admin boolean, blocked boolean, bot boolean) where u.id = x.id`,
      [JSON.stringify(people)],
    );
    const members = world.members.map((one) => ({ ...placed(one), user: users[one.user] }));
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level, expires_at)
      select x.type, x.source, x."user", x.level, current_date + x.days
      from jsonb_to_recordset($1::jsonb) x (type text, source bigint, "user" bigint, level int, days int)`,
      [JSON.stringify(members)],
    );
    const shares = world.shares.map((one) => ({ ...placed(one), group: groups[one.group] }));
    await api.sql(
      `insert into group_links (source_type, source_id, group_id, access_level, expires_at)
      select x.type, x.source, x."group", x.level, current_date + x.days
      from jsonb_to_recordset($1::jsonb) x (type text, source bigint, "group" bigint, level int, days int)`,
      [JSON.stringify(shares)],
    );
  }

  /** Rows of a statement in names: `u`, `g` and `p` are ids of users, groups and projects, `r` a role or number that is not 0. */
  async ask(sql: string, values: readonly unknown[] = []): Promise<string[]> {
    return this.name(await this.api.sql<Row>(sql, values));
  }

  name(rows: readonly Row[]): string[] {
    const known = { u: this.users, g: this.groups, p: this.projects };
    const lines = rows
      .filter(({ r }) => r !== 0)
      .map((row) => {
        const ids = (['u', 'g', 'p'] as const).flatMap((kind) => {
          const index = known[kind].indexOf(row[kind] ?? 0);
          return row[kind] === undefined ? [] : [index < 0 ? '?' : `${kind}${index}`];
        });
        return [...ids, row.r ?? ''].join(' ').trim();
      });
    return lines.filter((line) => !line.includes('?')).sort();
  }
}

type Fact = number | boolean;
const line = (name: string, fact: Fact): string[] =>
  fact === true ? [name] : fact ? [`${name} ${fact}`] : [];

/** Lines as of `ask` for all users and groups of which a rule says a role, or that it holds. */
export const ofGroups = (rule: (user: number, group: number) => Fact): string[] =>
  count(SIZE.users)
    .flatMap((u) => count(SIZE.groups).flatMap((g) => line(`u${u} g${g}`, rule(u, g))))
    .sort();

/** The same for all users and projects. */
export const ofProjects = (rule: (user: number, project: number) => Fact): string[] =>
  count(SIZE.users)
    .flatMap((u) => count(SIZE.projects).flatMap((p) => line(`u${u} p${p}`, rule(u, p))))
    .sort();
