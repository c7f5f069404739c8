import type { TestApi } from '../api.js';
import { ROOT_TOKEN } from '../api.js';
import type { Answer, ApiClient } from '../client.js';
import { until } from '../until.js';
import { ExampleRecorder } from './recorder.js';

/** A day that has not passed, whenever the examples are made. */
export const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-09-30`;

/** Objects with an id, as in most responses. */
export interface Made extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly iid: number;
}

/** A user who acts in the examples. */
export interface Actor {
  readonly id: number;
  readonly token: string;
  /** A client whose responses are recorded. */
  readonly shown: ApiClient;
}

/** The environment of the examples: setup that is not shown, and requests that are. */
export class ExampleDesk {
  readonly recorder: ExampleRecorder;
  /** The administrator, whose responses are recorded. */
  readonly shown: ApiClient;

  constructor(readonly api: TestApi) {
    this.recorder = new ExampleRecorder(api);
    this.shown = this.recorder.as(ROOT_TOKEN);
  }

  /** Creates something as the administrator, without recording it. */
  make(path: string, body: object = {}): Promise<Made> {
    return this.send('POST', path, body);
  }

  /** Sends something as the administrator, without recording it. */
  async send(method: string, path: string, body?: object): Promise<Made> {
    const { status, text, body: made } = await this.api.root.send<Made>(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return made;
  }

  /** A user with a token. */
  async person(username: string, name: string): Promise<Actor> {
    const user = { username, name, email: `${username}@example.com`, password: 'correct horse battery' };
    const { id } = await this.make('/users', { ...user, skip_confirmation: true });
    const { token } = await this.make(`/users/${id}/personal_access_tokens`, {
      name: 'Example',
      scopes: ['api'],
    });
    return { id, token: String(token), shown: this.recorder.as(String(token)) };
  }

  /** Records the response of a path to the administrator. */
  async show(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.shown.get(path);
  }

  /** Waits until the response of a path fulfills a condition. */
  async when(path: string, is: (body: Record<string, unknown>) => boolean): Promise<void> {
    let last: Answer | undefined;
    const isSo = async (): Promise<boolean> => {
      last = await this.api.root.get(path);
      const one: unknown = Array.isArray(last.body) ? last.body[0] : last.body;
      return last.status === 200 && one !== undefined && is(one as Record<string, unknown>);
    };
    await until(isSo).catch(() => {
      throw new Error(`${path} stays ${String(last?.text)}`);
    });
  }
}

/** The projects and users of all examples. */
export interface ExampleWorld {
  readonly desk: ExampleDesk;
  readonly ada: Actor;
  readonly grace: Actor;
  readonly group: number;
  readonly project: number;
  /** Path of the project. */
  readonly at: string;
}

/** A group with a project that has code, and two users who work there. */
export async function buildExampleWorld(api: TestApi): Promise<ExampleWorld> {
  const desk = new ExampleDesk(api);
  await desk.send('PUT', '/application/settings', { repository_storages_weighted: { default: 100 } });
  const ada = await desk.person('ada', 'Ada Lovelace');
  const grace = await desk.person('grace', 'Grace Hopper');
  const group = (await desk.make('/groups', { name: 'Tools', path: 'tools', visibility: 'public' })).id;
  await desk.make(`/groups/${group}/members`, { user_id: ada.id, access_level: 50 });
  const project = await desk.make('/projects', {
    name: 'Engine',
    path: 'engine',
    namespace_id: group,
    visibility: 'public',
    description: 'What drives everything else',
    initialize_with_readme: true,
  });
  const at = `/projects/${project.id}`;
  await desk.make(`${at}/members`, { user_id: grace.id, access_level: 40 });
  return { desk, ada, grace, group, project: project.id, at };
}
