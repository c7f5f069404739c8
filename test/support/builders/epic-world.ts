import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';
import { buildGroup, type BuiltGroup } from './group.js';
import { addUser } from './instance.js';
import { buildMember } from './member.js';
import { buildProject } from './project.js';

/** A group with a project, and a user for every role in the group. */
export interface EpicWorld {
  readonly group: BuiltGroup;
  readonly projectId: number;
  readonly owner: ApiClient;
  readonly reporter: ApiClient;
  readonly guest: ApiClient;
  readonly stranger: ApiClient;
}

/** Facts about an epic for the tests. */
export interface BuiltEpic {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly labels: string[];
  readonly closed_at: string | null;
  readonly start_date: string | null;
}

let built = 0;

/** Creates a private group with a project. */
export async function buildEpicWorld(api: TestApi): Promise<EpicWorld> {
  built += 1;
  const group = await buildGroup(api, { visibility: 'private' });
  const { id: projectId } = await buildProject(api.root, { namespace_id: group.id });
  const person = async (role: number | null): Promise<ApiClient> => {
    const { id, token } = await addUser(api, `epic-${built}-${role ?? 'stranger'}`);
    if (role !== null) await buildMember(api, `groups/${group.id}`, id, role);
    return api.as(token);
  };
  return {
    group,
    projectId,
    owner: await person(50),
    reporter: await person(20),
    guest: await person(10),
    stranger: await person(null),
  };
}
