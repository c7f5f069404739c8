import { DataSource } from 'typeorm';
import { startApi, type TestApi } from '../api.js';
import { buildCodeProject } from '../builders/code-project.js';
import { buildGroup } from '../builders/group.js';
import { createUser } from '../builders/user.js';
import { untilBlocking, untilIdle } from '../lock-waits.js';
import { Notified, type ToldMail } from '../notified.js';
import { PLACES, ToldWorld, type ToldPerson, type ToldSetting } from './told-world.js';

/** Branches from which merge requests are opened, one each. */
export const BRANCHES = 10;
const USERS = 7;
const PASSING = `select 1 from background_jobs where name = 'notifications.fan-out' and state in ('pending', 'handed', 'running')`;

/** A service with the users, groups and project of a walk, and its mails. */
export class ToldStage {
  private constructor(
    readonly api: TestApi,
    readonly inbox: Notified,
    readonly world: ToldWorld,
    /** Paths of the project and groups in the API, and of mentions. */
    readonly paths: Readonly<Record<(typeof PLACES)[number], string>>,
    readonly names: Readonly<Record<'group' | 'top', string>>,
    readonly labelPath: string,
  ) {}

  /** Builds it, with groups of this visibility. */
  static async build(visibility: string): Promise<ToldStage> {
    const inbox = await Notified.start();
    const api = await startApi({ SMTP_URL: inbox.url });
    const top = await buildGroup(api, { visibility });
    const group = await buildGroup(api, { visibility, parent_id: top.id });
    const branches = Array.from({ length: BRANCHES }, (_, index) => `branch-${index}`);
    const code = await buildCodeProject(
      api,
      async (work) => {
        for (const name of branches) {
          await work.git('checkout', '-q', '-b', name, 'main');
          await work.commit({ [`${name}.txt`]: name }, name);
        }
        await work.git('checkout', '-q', 'main');
      },
      { namespace_id: group.id, visibility: 'private' },
    );
    const people: ToldPerson[] = [];
    for (let index = 0; index < USERS; index += 1) people.push(await addPerson(api, index));
    const project = `/projects/${code.id}`;
    const label = await api.root.post<{ id: number }>(`${project}/labels`, {
      name: 'loud',
      color: '#ff0000',
    });
    await api.root.put('/notification_settings', { level: 'disabled' });
    const paths = { project, group: `/groups/${group.id}`, top: `/groups/${top.id}` };
    return new ToldStage(
      api,
      inbox,
      new ToldWorld(people, visibility),
      paths,
      { group: group.full_path, top: top.full_path },
      `${project}/labels/${label.body.id}`,
    );
  }

  /** Stores a setting; addresses of groups are set on a page only. */
  async set(
    user: number,
    place: (typeof PLACES)[number] | 'everywhere',
    setting: ToldSetting,
  ): Promise<void> {
    const { client, id, username, settings } = this.world.person(user);
    const root = place === 'everywhere' ? '' : this.paths[place];
    const events = Object.fromEntries([...setting.on].map((name) => [name, true]));
    const off = Object.fromEntries([...(settings.get(place)?.on ?? [])].map((name) => [name, false]));
    const { status } = await client.put(`${root}/notification_settings`, {
      level: setting.level,
      ...off,
      ...events,
    });
    if (status !== 200) return;
    if (place !== 'project')
      await this.api.sql(
        `update notification_settings set notification_email = $2 where user_id = $1
           and (source_type is null and $3::bigint is null or source_type = 'Namespace' and source_id = $3)`,
        [
          id,
          setting.hasAddress ? `${username}@${place}.example.com` : null,
          place === 'everywhere' ? null : Number(root.split('/').at(-1)),
        ],
      );
    settings.set(place, setting);
  }

  /** The mails of the walk's users since the last call. */
  async mails(): Promise<ToldMail[]> {
    const known = new Set(this.world.people.map(({ username }) => username));
    return (await this.inbox.mails(this.api)).filter(({ to }) => known.has(to.split('@')[0] ?? ''));
  }

  /** Their lines `user address reason`; fails for a mail whose link would unsubscribe somebody else. */
  async told(): Promise<string[]> {
    const mails = await this.mails();
    const keys = mails.map((mail) => /[0-9a-f]{32}/.exec(mail.header('List-Unsubscribe') ?? '')?.[0]);
    const owners = await this.api.sql<{ key: string; id: number }>(
      'select unsubscribe_key as key, user_id as id from sent_notifications where unsubscribe_key = any($1)',
      [keys],
    );
    const lines = mails.map((mail, index) => {
      const [name = '', place = 'first'] = mail.to.split('@');
      const user = this.world.people.findIndex(({ username }) => username === name);
      const owner = owners.find(({ key }) => key === keys[index])?.id;
      if (owner !== this.world.person(user).id)
        throw new Error(`${mail.to} can unsubscribe ${owner ?? 'nobody'}`);
      const reason = mail.header('X-GitLab-NotificationReason') ?? 'none';
      return `${user} ${place.replace('.example.com', '')} ${reason}`;
    });
    return lines.sort();
  }

  /** Does something, and something else after its recipients were determined, before their mails are sent. */
  async between(event: () => Promise<void>, change: () => Promise<void>): Promise<void> {
    await untilIdle(this.api);
    const holder = this.api.app.get(DataSource).createQueryRunner();
    await holder.connect();
    try {
      await holder.startTransaction();
      await holder.query('lock table sent_notifications in share row exclusive mode');
      await event();
      let isOver = false;
      const watch = setInterval(() => {
        void this.api.sql(PASSING).then((left) => (isOver = left.length === 0));
      }, 20);
      await untilBlocking(this.api, holder, () => isOver);
      clearInterval(watch);
      await change();
      await holder.commitTransaction();
    } finally {
      if (holder.isTransactionActive) await holder.rollbackTransaction();
      await holder.release();
    }
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.inbox.close();
  }
}

/** Adds a user with an address for each place; the last one is external, and every third is told of own actions. */
async function addPerson(api: TestApi, index: number): Promise<ToldPerson> {
  const isExternal = index === USERS - 1;
  const { id, username, client } = await createUser(api, { external: isExternal });
  for (const place of ['everywhere', 'top', 'group'])
    await api.root.post(`/users/${id}/emails`, {
      email: `${username}@${place}.example.com`,
      skip_confirmation: true,
    });
  const tellsOwn = index % 3 === 0;
  await client.put('/notification_settings', { level: 'participating' });
  await api.sql(
    'update notification_settings set notified_of_own_activity = $2 where user_id = $1 and source_type is null',
    [id, tellsOwn],
  );
  return {
    id,
    username,
    client,
    isExternal,
    tellsOwn,
    isActive: true,
    roles: new Map(),
    settings: new Map(),
  };
}
