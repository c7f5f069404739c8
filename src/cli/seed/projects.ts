import type { INestApplicationContext } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { CreateProject } from '#core/projects/writes/create-project.use-case.js';
import { historyOf } from './history.js';
import { actorNamed, callerOf, type Cast } from './people.js';
import { Chance } from './random.js';
import { storeHistory } from './store-history.js';
import { deployersOf, type Teams } from './teams.js';
import { demoProjects, type DemoProject } from './world.js';

/** The projects created. */
export interface CreatedProjects {
  projects: number;
  environments: number;
  deployments: number;
}

/** The period that the history covers. */
export interface Period {
  readonly from: Date;
  readonly now: Date;
}

const FIND = `select id from projects where lower(full_path) = lower($1) and not pending_delete`;

/** Finds or creates the given number of projects, and generates a history for those without one. */
export async function ensureProjects(
  app: INestApplicationContext,
  world: { readonly cast: Cast; readonly teams: Teams; readonly period: Period; readonly count: number },
  onProject: () => void,
): Promise<CreatedProjects> {
  const created = { projects: 0, environments: 0, deployments: 0 };
  for (const project of demoProjects(world.count)) {
    const deployers = deployersOf(project.group);
    const found = await app.get(ReadDatabase).one<{ id: number }>(FIND, [`${project.group}/${project.path}`]);
    if (!found) created.projects += 1;
    const creator = actorNamed(world.cast, deployers[0] ?? '');
    const id = found?.id ?? (await create(app, creator, project, world.teams));
    const createdAt = birthOf(project, world.period);
    const history = historyOf(project, deployers, createdAt, world.period.now);
    const isStored = await app
      .get(Transactions)
      .run((tx) => storeHistory(tx, { id, path: project.path, createdAt }, history, world.cast.ids));
    if (isStored) {
      created.environments += history.environments.length;
      created.deployments += history.deployments.length;
    }
    onProject();
  }
  if (created.deployments > 0)
    await app.get(Transactions).run((tx) => tx.query('analyze environments, deployments, internal_ids'));
  return created;
}

async function create(
  app: INestApplicationContext,
  creator: Actor,
  { group, path, name, description, topics }: DemoProject,
  teams: Teams,
): Promise<number> {
  const caller = callerOf(creator, app.get(SettingsService, { strict: false }).tier);
  return app.get(CreateProject, { strict: false }).create(caller, {
    name,
    path,
    description,
    topics: [...topics],
    default_branch: 'main',
    namespace_id: String(teams.ids.get(group)),
  });
}

/** Projects start one after another within the first fifth of the period. */
function birthOf({ group, path }: DemoProject, { from, now }: Period): Date {
  const share = new Chance(`birth of ${group}/${path}`).next() / 5;
  return new Date(from.getTime() + share * (now.getTime() - from.getTime()));
}
