import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { NamedOrigin } from '#core/issuables/origin-text.js';
import type { WrittenTextRef } from './read-text.job.js';

/** What references in a text are relative to. */
export interface ReferenceContext {
  /** Full path of its project; null in a group. */
  readonly projectPath: string | null;
  /** Full path of its group, or of the namespace of its project. */
  readonly namespacePath: string;
  /** Whether that namespace is a group, which can have epics. */
  readonly inGroup: boolean;
}

/** A text with the author of its mentions. */
export interface FoundText {
  readonly text: string;
  readonly source: NamedOrigin;
  readonly context: ReferenceContext;
}

interface Row {
  readonly text: string | null;
  readonly id: number;
  readonly iid: number | null;
  readonly sha: string;
  readonly project_path: string | null;
  readonly namespace_path: string;
  readonly in_group: boolean;
}

const CONTEXT = `p.full_path as project_path, n.full_path as namespace_path, n.type = 'Group' as in_group`;
const OF_PROJECT = `join projects p on p.id = t.project_id and not p.pending_delete join namespaces n on n.id = p.namespace_id`;
/** Null if the note was removed or is internal. */
const TEXT = `case when $2::bigint is null then t.title || E'\\n\\n' || coalesce(t.description, '')
  else (select o.body from notes o where o.id = $2 and not o.internal) end as text`;

const ofIssuable = (table: string): string =>
  `select ${TEXT}, t.id, t.iid, '' as sha, ${CONTEXT} from ${table} t ${OF_PROJECT} where t.id = $1`;

const STATEMENTS: Readonly<Record<WrittenTextRef['type'], string>> = {
  Issue: ofIssuable('issues'),
  MergeRequest: ofIssuable('merge_requests'),
  Epic: `select ${TEXT}, t.id, t.iid, '' as sha, null as project_path, n.full_path as namespace_path, true as in_group
    from epics t join namespaces n on n.id = t.group_id and not n.pending_delete where t.id = $1`,
  Commit: `select t.body as text, t.project_id as id, null::bigint as iid, t.commit_id as sha, ${CONTEXT}
    from notes t ${OF_PROJECT} where $1::bigint is null and t.id = $2 and t.commit_id is not null and not t.internal`,
};

/** Finds texts that users wrote. */
@Injectable()
export class WrittenTextsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Returns the present text; null if it was removed, or is no longer visible to all readers of the object.
   */
  async find({ type, id, noteId }: WrittenTextRef): Promise<FoundText | null> {
    const row = await this.database.one<Row>(STATEMENTS[type], [id, noteId]);
    if (!row || row.text === null) return null;
    const { project_path: projectPath, namespace_path: namespacePath, in_group: inGroup } = row;
    return {
      text: row.text,
      source: { type, id: row.id, iid: row.iid, sha: row.sha, path: projectPath ?? namespacePath },
      context: { projectPath, namespacePath, inGroup },
    };
  }
}
