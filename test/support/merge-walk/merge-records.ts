import type { WalkedMergeRequest } from './code-walk.js';
import type { MergeWalk } from './merge-walk.js';

interface ShownNote {
  readonly id: number;
  readonly body: string;
  readonly system: boolean;
}

interface ShownVersion {
  readonly id: number;
  readonly head_commit_sha: string;
  readonly base_commit_sha: string;
}

/** What contradicts the rules in what is kept about the past of a merge request: notes, events and versions. */
export async function recordsOf(
  walk: MergeWalk,
  one: WalkedMergeRequest,
  was: WalkedMergeRequest | undefined,
): Promise<string[]> {
  if (was && was.state !== 'opened' && was.state === one.state) return [];
  const found: string[] = [];
  const { root } = walk.api;
  const read = async <T>(path: string): Promise<T[]> =>
    (await root.get<T[]>(walk.at(one.iid, `/${path}${path.includes('?') ? '&' : '?'}per_page=100`))).body;
  const [notes, events, versions] = await Promise.all([
    read<ShownNote>('notes?sort=asc&order_by=created_at'),
    read<{ state: string; user: object | null }>('resource_state_events'),
    read<ShownVersion>('versions'),
  ]);
  const said = notes.filter(({ system }) => system).map(({ body }) => body);
  const comments = walk.comments.get(one.iid) ?? 0;
  if (one.user_notes_count !== comments) found.push(`${one.user_notes_count} notes, not ${comments}`);
  const states = events.map(({ state }) => state);
  const noted = said.filter((body) => ['closed', 'reopened', 'merged'].includes(body));
  if (states.join() !== noted.join()) found.push(`events ${states.join()}, notes ${noted.join()}`);
  const wanted = { opened: ['reopened', undefined], closed: ['closed'], merged: ['merged'] }[one.state] ?? [];
  if (!wanted.includes(states.at(-1))) found.push(`${one.state} after ${states.join()}`);
  let state = 'reopened';
  for (const next of states) {
    if (next === 'reopened' ? state !== 'closed' : state !== 'reopened')
      found.push(`states ${states.join()}`);
    state = next;
  }
  let waits = false;
  for (const body of said) {
    if (/^enabled an automatic/.test(body)) waits = true;
    else if (/^(canceled|aborted) the automatic/.test(body)) {
      if (!waits) found.push(`${body}, which was not enabled`);
      waits = false;
    } else if (body === 'closed' || body === 'merged') waits = false;
  }
  if (waits !== one.merge_when_pipeline_succeeds)
    found.push(`waits: ${one.merge_when_pipeline_succeeds}, not ${waits}`);
  const shas = [...versions].sort((a, b) => a.id - b.id);
  const heads = shas.map(({ head_commit_sha: sha }) => sha).filter((sha, at, list) => sha !== list[at - 1]);
  if (heads.at(-1) !== one.sha) found.push(`its newest version is ${heads.at(-1)}, not ${one.sha}`);
  if (shas.at(-1)?.base_commit_sha !== one.diff_refs.base_sha)
    found.push('its newest version has another base');
  const pushes = said.filter((body) => /^added \d+ commit|^changed the source branch/.test(body)).length;
  const silent = said.filter((body) => /^reopened|^changed target/.test(body)).length;
  if (pushes > heads.length - 1 || pushes < heads.length - 1 - silent)
    found.push(`${pushes} notes of pushes for ${heads.length} heads`);
  const path = `${walk.world.base}/events?target_type=merge_request&per_page=100`;
  const { body: happened } = await root.get<{ action_name: string; target_iid: number }[]>(path);
  const own = happened.filter(({ target_iid: iid }) => iid === one.iid).map(({ action_name: name }) => name);
  const byUsers = events.filter(({ user }) => user !== null).map(({ state: by }) => by);
  const count = (name: string, list: readonly string[]): number =>
    list.filter((item) => item === name).length;
  for (const [name, state] of [
    ['accepted', 'merged'],
    ['closed', 'closed'],
  ] as const)
    if (happened.length < 100 && count(name, own) !== count(state, byUsers))
      found.push(`events ${own.join()} for ${states.join()}`);
  // Events of v4 have one word for opened and reopened.
  if (happened.length < 100 && count('opened', own) !== 1 + count('reopened', byUsers))
    found.push(`events ${own.join()} for ${states.join()}`);
  return found;
}
