import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { mentionedNames } from '../participants/mentioned-names.js';
import {
  EVERYBODY,
  mentionedOnce,
  NAMED_BY,
  type MentionTarget,
  type NamedUser,
} from '../participants/mentions.service.js';

/** A text with possible mentions: the description of a noteable (`noteId` null) or a note on it. */
export interface MentioningText {
  /** Id of the local noteable. */
  readonly noteableId: number;
  readonly noteId: number | null;
  readonly text: string | null;
}

/** Limit of mentions per batch of imported texts; a few bytes can mention thousands of users. */
const MAX_MENTIONS = 100_000;

const RECORD = `insert into mentions (target_type, target_id, note_id, user_id, via_group_id)
  select $1, noteable, note, user_id, via from json_to_recordset($2::json) as x(noteable bigint, note bigint, user_id bigint, via bigint)`;

/**
 * Records the mentions in texts, as for local ones: names are those of local users, and of groups that the
 * importing user can see (authors are what the source claims).
 */
export async function importMentions(
  tx: Tx,
  target: ImportTarget,
  type: MentionTarget['type'],
  texts: readonly MentioningText[],
): Promise<void> {
  const calling = texts.flatMap(({ noteableId, noteId, text }) => {
    const { names, all } = mentionedNames(text ?? '');
    return names.size > 0 || all ? [{ noteableId, noteId, names, all }] : [];
  });
  if (calling.length === 0) return;
  const usersOf = await namedUsers(tx, [...new Set(calling.flatMap(({ names }) => [...names]))], target);
  const everybody = calling.some(({ all }) => all) ? await membersOf(tx, target) : [];
  const rows: { noteable: number; note: number | null; user_id: number; via: number | null }[] = [];
  for (const { noteableId, noteId, names, all } of calling) {
    const named = [...names].flatMap((name) => usersOf.get(name) ?? []);
    for (const { id, viaGroupId } of mentionedOnce([...(all ? everybody : []), ...named])) {
      if (rows.length === MAX_MENTIONS) break;
      rows.push({ noteable: noteableId, note: noteId, user_id: id, via: viaGroupId });
    }
  }
  if (rows.length > 0) await tx.query(RECORD, [type, JSON.stringify(rows)]);
}

async function namedUsers(
  tx: Tx,
  names: readonly string[],
  { importerId }: ImportTarget,
): Promise<ReadonlyMap<string, readonly NamedUser[]>> {
  const found = new Map<string, NamedUser[]>();
  if (names.length === 0) return found;
  const rows = await tx.query<(NamedUser & { name: string })[]>(NAMED_BY, [names, importerId, null]);
  for (const { name, id, via } of rows) {
    const users = found.get(name);
    if (users) users.push({ id, via });
    else found.set(name, [{ id, via }]);
  }
  return found;
}

async function membersOf(tx: Tx, { of, ownerId }: ImportTarget): Promise<NamedUser[]> {
  const container = of === 'project' ? [ownerId, null] : [null, ownerId];
  return (await tx.query<{ id: number }[]>(EVERYBODY, container)).map(({ id }) => ({ id, via: null }));
}
