import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { badRequest } from '#kernel/http/errors.js';
import type { SetFeatureParams } from './features.params.js';

/** Finds the actors of lower-cased names. */
const USERS = `select lower(username) as name, 'User:' || id as actor from users where lower(username) = any($1)`;
const GROUPS = `select lower(full_path) as name, 'Group:' || id as actor from namespaces
  where lower(full_path) = any($1) and type = 'Group'`;
const NAMESPACES = `select lower(full_path) as name,
  case type when 'Group' then 'Group:' else 'Namespace:' end || id as actor from namespaces where lower(full_path) = any($1)`;
const projects = (kind: string): string =>
  `select r.path as name, '${kind}:' || p.id as actor from routes r join projects p on p.id = r.source_id
   where r.path = any($1) and r.source_type = 'Project' and not r.redirect`;

type TargetName = 'user' | 'group' | 'namespace' | 'project' | 'repository';

const TEXTS: Readonly<Record<TargetName, string>> = {
  user: USERS,
  group: GROUPS,
  namespace: NAMESPACES,
  project: projects('Project'),
  repository: projects('Repository'),
};

const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Resolves the users, groups and projects of a flag to actors of its gates. */
@Injectable()
export class FlagTargetsQueries {
  /** Returns the actors. @throws 400 for unknown names */
  async find(tx: Tx, params: SetFeatureParams): Promise<string[]> {
    const actors: string[] = [];
    for (const kind of Object.keys(TEXTS) as TargetName[]) {
      const names = namesIn(params[kind] ?? '');
      if (names.length > 0) actors.push(...(await this.ofKind(tx, kind, names)));
    }
    return actors;
  }

  /** Returns the feature groups named. */
  groups({ feature_group: text }: SetFeatureParams): string[] {
    return namesIn(text ?? '');
  }

  private async ofKind(tx: Tx, kind: TargetName, names: readonly string[]): Promise<string[]> {
    const keyOf = (name: string): string => {
      const key = name.toLowerCase();
      return kind === 'repository' ? key.replace(/\.git$/, '') : key;
    };
    const rows = await tx.query<{ name: string; actor: string }[]>(TEXTS[kind], [names.map(keyOf)]);
    const found = new Map(rows.map(({ name, actor }) => [name, actor]));
    return names.map((name) => {
      const actor = found.get(keyOf(name));
      if (actor === undefined) throw badRequest(`400 Bad request - ${name} is not found!`);
      return actor;
    });
  }
}
