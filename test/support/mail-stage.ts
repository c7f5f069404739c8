import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import { RecipientsService } from '../../src/features/notifications/recipients/recipients.service.js';
import type { NotifiableEvent } from '../../src/features/notifications/recipients/notifiable-event.js';
import type { TestApi } from './api.js';
import type { MailWorld } from './mail-world.js';

const EMPTY = ['members', 'notification_settings', 'subscriptions', 'mentions', 'notes', 'issues'];

/** The tables behind a world: two groups, two projects, one label and some users, among whom worlds are set up one after the other. */
export class MailStage {
  readonly userIds: number[] = [];
  private readonly places: Record<string, readonly [type: string, id: number]> = {};
  private label = 0;
  private readers: ReadonlySet<number> = new Set();

  constructor(private readonly api: TestApi) {}

  async build(userCount: number): Promise<void> {
    const { api } = this;
    const top = await this.group('top', null);
    const group = await this.group('group', top);
    this.places['top'] = ['Namespace', top];
    this.places['group'] = ['Namespace', group];
    for (const name of ['project', 'elsewhere']) {
      const path = `${name}-of-mails`;
      const id = await this.insert(
        `insert into projects (namespace_id, name, path, full_path, full_name, visibility) values ($1, $2, $2, $2, $2, 'public')`,
        [group, path],
      );
      this.places[name] = ['Project', id];
    }
    this.label = await this.insert(`insert into labels (group_id, title, color) values ($1, 'l', '#fff')`, [
      group,
    ]);
    for (let index = 0; index < userCount; index += 1) {
      const name = `mailed-${index}`;
      const text = `insert into users (username, name, email, confirmed_at) values ($1, $1, 'first', now())`;
      this.userIds.push(await this.insert(text.replace(`'first'`, `$1 || '@first'`), [name]));
    }
    api.app.get(NoteableRegistry).register({
      type: 'Issue',
      find: () => Promise.reject(new Error('not asked')),
      readersAmong: (_id, ids) => Promise.resolve(new Set(ids.filter((id) => this.readers.has(id)))),
    });
  }

  /** Sets up a world and returns the recipients: `user address reason`, in the order of the users. */
  async mailsOf(world: MailWorld): Promise<string[]> {
    const event = await this.setUp(world);
    const mails = await this.api.app.get(RecipientsService).recipientsFor(event);
    return mails
      .map(({ userId, address, reason }) => ({ user: this.userIds.indexOf(userId), address, reason }))
      .sort((one, other) => one.user - other.user)
      .map(({ user, address, reason }) => `${user} ${address.replace(/^.*@/, '')} ${reason ?? 'none'}`);
  }

  private async setUp(world: MailWorld): Promise<NotifiableEvent> {
    for (const table of EMPTY) await this.api.sql(`delete from ${table}`);
    await this.setUsers(world);
    const [, projectId] = this.place('project');
    const issue = await this.insert(
      `insert into issues (project_id, iid, title, author_id) values ($1, 1, 'i', $2)`,
      [projectId, this.userOrNull(world.author)],
    );
    const note = await this.note(issue, null, true);
    await this.api.sql('insert into issue_labels (issue_id, label_id) values ($1, $2)', [issue, this.label]);
    await this.each(
      'insert into issue_assignees (issue_id, user_id) values ($1, $2)',
      world.assignees,
      (user) => [issue, this.user(user)],
    );
    for (const { author, system } of world.notes) await this.note(issue, this.user(author), system);
    await this.each(
      `insert into mentions (target_type, target_id, note_id, user_id) values ('Issue', $1, $2, $3)`,
      world.mentions,
      ({ user, inNote }) => [issue, inNote ? note : null, this.user(user)],
    );
    await this.setSubscriptions(world, issue);
    const isOfProject = ['moved_project', 'new_release'].includes(world.kind);
    return {
      kind: world.kind as NotifiableEvent['kind'],
      target: isOfProject ? { type: 'Project', id: projectId } : { type: 'Issue', id: issue },
      projectId,
      groupId: null,
      actorId: this.userOrNull(world.actor),
      ...(world.kind === 'new_note' ? { noteId: note } : {}),
      removedUserIds: world.removed.map((user) => this.user(user)),
      mentionedUserIds: world.named.map((user) => this.user(user)),
      labelIds: [this.label],
    };
  }

  private async setUsers(world: MailWorld): Promise<void> {
    this.readers = new Set(world.readers.map((user) => this.user(user)));
    await this.api.sql(
      `update users set confirmed_at = case when id = any($1) then now() end where id = any($2)`,
      [world.mailable.map((user) => this.user(user)), this.userIds],
    );
    await this.each(
      `insert into members (user_id, source_type, source_id, access_level, expires_at) values ($1, $2, $3, 30, $4)`,
      world.members,
      ({ user, place, expired }) => [this.user(user), ...this.place(place), expired ? '2020-01-01' : null],
    );
    await this.each(
      `insert into notification_settings (user_id, source_type, source_id, level, events, notification_email) values ($1, $2, $3, $4, $5, $6)`,
      world.settings,
      ({ user, place, level, on, hasAddress }) => [
        this.user(user),
        ...(place === 'everywhere' ? [null, null] : this.place(place)),
        level,
        JSON.stringify(Object.fromEntries(on.map((name) => [name, true]))),
        hasAddress && !['project', 'elsewhere'].includes(place) ? `x@${place}` : null,
      ],
    );
    await this.each(
      `insert into notification_settings (user_id, level, notified_of_own_activity) values ($1, 'global', true)
         on conflict (user_id, source_type, source_id) do update set notified_of_own_activity = true`,
      world.own,
      (user) => [this.user(user)],
    );
  }

  private async setSubscriptions(world: MailWorld, issue: number): Promise<void> {
    const text = `insert into subscriptions (user_id, target_type, target_id, project_id, subscribed) values ($1, $2, $3, $4, $5)`;
    await this.each(text, world.said, ({ user, subscribed }) => [
      this.user(user),
      'Issue',
      issue,
      null,
      subscribed,
    ]);
    await this.each(text, world.saidOfLabel, ({ user, place, subscribed }) => [
      this.user(user),
      'Label',
      this.label,
      place === 'group' ? null : this.place(place)[1],
      subscribed,
    ]);
  }

  private note(issue: number, author: number | null, system: boolean): Promise<number> {
    return this.insert(
      `insert into notes (noteable_type, noteable_id, author_id, discussion_id, body, system) values ('Issue', $1, $2, 'd', 'b', $3)`,
      [issue, author, system],
    );
  }

  private group(path: string, parent: number | null): Promise<number> {
    const text = `insert into namespaces (type, name, path, full_path, full_name, parent_id, traversal_ids)
      select 'Group', $1, $1, $1, $1, $2::bigint, array_remove(array[$2::bigint], null) || currval(pg_get_serial_sequence('namespaces', 'id'))
      from nextval(pg_get_serial_sequence('namespaces', 'id')) next`;
    return this.insert(text.replace('(type', '(id, type').replace('select ', 'select next, '), [
      `${path}-of-mails`,
      parent,
    ]);
  }

  private async insert(text: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.api.sql<{ id: number }>(`${text} returning id`, values);
    return row?.id ?? 0;
  }

  private async each<T>(text: string, items: readonly T[], values: (item: T) => unknown[]): Promise<void> {
    for (const item of items) await this.api.sql(text, values(item));
  }

  private place(name: string): readonly [string, number] {
    return this.places[name] ?? ['', 0];
  }

  private user(index: number): number {
    return this.userIds[index] ?? 0;
  }

  private userOrNull(index: number | null): number | null {
    return index === null ? null : this.user(index);
  }
}
