import type { Tx } from '#kernel/database/transactions.js';
import { MENTION } from '../note-origins.service.js';

/** Noteables per statement. */
const PAGE = 500;

const TABLES = { Issue: 'issues', MergeRequest: 'merge_requests' } as const;

/** Where to continue: the type of noteables, and the id of the last one examined. */
export interface NoteSourcesCursor {
  readonly type: keyof typeof TABLES;
  readonly after: number;
}

/** How system notes name an object of their own project; an unknown author is named after it. */
const NAMED = String.raw`^(?:mentioned in|closed via) (?:(issue #|merge request !)(\d{1,9})|commit ([0-9a-f]{40}))(?:\s|$)`;

/** $1: project, $2: id after which the page begins. */
const tell = (type: keyof typeof TABLES): string => `with page as (
    select id from ${TABLES[type]} where project_id = $1 and id > $2 order by id limit ${PAGE}),
  told as (
    select n.id, n.noteable_id, n.system_action, regexp_match(n.body, '${NAMED}') as named
    from page join notes n on n.noteable_type = '${type}' and n.noteable_id = page.id
    where n.system and n.system_action in ('${MENTION}', 'closed') and not exists (select from note_sources x where x.note_id = n.id)),
  written as (
    insert into note_sources (note_id, target_type, target_id, source_type, source_id, commit_sha, is_mention)
    select told.id, '${type}', told.noteable_id, s.type, s.id, s.sha, told.system_action = '${MENTION}'
    from told cross join lateral (
      select 'Issue' as type, i.id, '' as sha from issues i where told.named[1] = 'issue #' and i.project_id = $1 and i.iid = told.named[2]::bigint
      union all select 'MergeRequest', m.id, '' from merge_requests m
        where told.named[1] = 'merge request !' and m.project_id = $1 and m.iid = told.named[2]::bigint
      union all select 'Commit', $1::bigint, told.named[3] where told.named[3] is not null) s
    where s.type <> '${type}' or s.id <> told.noteable_id
    order by told.id on conflict do nothing)
  select max(id) as last from page`;

/**
 * Records, for a page of the imported issues or merge requests of a project, which of its objects their
 * system notes refer to: records of an export only name them. Returns where to continue; null at the end.
 */
export async function importNoteSources(
  tx: Tx,
  projectId: number,
  { type, after }: NoteSourcesCursor,
): Promise<NoteSourcesCursor | null> {
  const [{ last }] = await tx.query<[{ last: number | null }]>(tell(type), [projectId, after]);
  if (last !== null) return { type, after: last };
  return type === 'Issue' ? { type: 'MergeRequest', after: 0 } : null;
}
