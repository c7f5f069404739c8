import type { Actor } from '#kernel/access/caller.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { RoleStage } from './role-stage.js';
import { type RoleModel, SIZE } from './role-world.js';

/** A list of ids as an SQL expression. */
export const idsSql = (ids: readonly number[]): string => `array[${ids.join()}]::bigint[]`;

/** A condition with its values in the text. */
export function inline({ sql, values }: SqlPiece): string {
  const left = values.map((value) => (Array.isArray(value) ? `'{${value.join()}}'` : `'${String(value)}'`));
  return sql.replace(/\?/g, () => left.shift() ?? '?');
}

/** Collects by name what statements say about a world, and what the model of roles says. */
export class RoleReport {
  readonly found: Record<string, string[]> = {};
  readonly expected: Record<string, string[]> = {};
  /** SQL condition: the user `u` is of the world. */
  readonly users: string;

  constructor(
    private readonly stage: RoleStage,
    private readonly model: RoleModel,
  ) {
    this.users = `u.id = any(${idsSql(stage.users)})`;
  }

  /** Notes both under a name. */
  note(name: string, found: string[], expected: string[]): void {
    this.found[name] = found;
    this.expected[name] = expected;
  }

  /** Notes what one statement says. */
  async says(name: string, sql: string, expected: string[]): Promise<void> {
    this.note(name, await this.stage.ask(sql), expected);
  }

  /** Notes what is said for each user of the world. */
  async each(name: string, expected: string[], ask: (user: number) => Promise<string[]>): Promise<void> {
    const all: string[] = [];
    for (let user = 0; user < SIZE.users; user += 1)
      all.push(...(await ask(user)).map((line) => `u${user} ${line}`));
    this.note(name, all.sort(), expected);
  }

  /** A user of the world as guards name the caller. */
  actorOf(user: number): Actor {
    const { admin, external, bot } = this.model.user(user);
    return {
      id: this.stage.users[user] ?? 0,
      username: '',
      name: '',
      state: 'active',
      admin,
      external: external || bot,
      userType: bot ? 'project_bot' : 'human',
    };
  }

  /** SQL for all users and groups of the world, under these aliases. */
  groupRows(u: string, g: string, what: string): string {
    return `select ${u}.id u, ${g}.id g${what} from users ${u}, namespaces ${g}
      where ${u}.id = any(${idsSql(this.stage.users)}) and ${g}.id = any(${idsSql(this.stage.groups)})`;
  }

  /** SQL for all users and projects of the world with their namespaces, under these aliases. */
  projectRows(u: string, p: string, n: string, what: string): string {
    return `select ${u}.id u, ${p}.id p${what} from users ${u}, projects ${p} join namespaces ${n} on ${n}.id = ${p}.namespace_id
      where ${u}.id = any(${idsSql(this.stage.users)}) and ${p}.id = any(${idsSql(this.stage.projects)})`;
  }
}
