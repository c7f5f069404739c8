import { Nested } from '#kernel/http/fields/composite-fields.js';
import { bothOf } from '#kernel/http/fields/derived-fields.js';
import { Count, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { GroupBasicRecord } from '#core/groups/group.record.js';
import { VISIBILITIES, type Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { ProjectBasicRecord } from '#core/projects/records/project-basic.record.js';

/** Progress of the copy of a move. */
export class MoveProgressRecord {
  @Count()
  repositories_done!: number;

  @Count()
  repositories_total!: number;

  @Count()
  bytes_done!: number;

  @Count()
  bytes_total!: number;
}

/** States in records. */
export const MOVE_STATES = [
  'scheduled',
  'started',
  'replicated',
  'finished',
  'failed',
  'cleanup failed',
] as const;

/** Attributes that all moves share (`ops.md` 2.1, `decisions.md` 3). */
export class StorageMoveRecord {
  @Id()
  id!: number;

  @IsoTime()
  created_at!: string;

  @OneOf(MOVE_STATES)
  state!: string;

  @Text()
  source_storage_name!: string;

  @Text()
  destination_storage_name!: string;

  @Text({ nullable: true, description: 'Why the move failed' })
  error_message!: string | null;

  @Text({ nullable: true, description: 'SHA-256 over all refs and HEAD, as they were copied' })
  digest!: string | null;

  @Nested(() => MoveProgressRecord)
  progress!: MoveProgressRecord;
}

/** A project in the record of its move. */
export class MovedProjectRecord extends ProjectBasicRecord {
  @IsoTime()
  created_at!: string;
}

/** A group in the record of its move. */
export class MovedGroupRecord extends GroupBasicRecord {}

/** A snippet in the record of its move. */
export class MovedSnippetRecord {
  @Id()
  id!: number;

  @Text()
  title!: string;

  @Text({ nullable: true })
  description!: string | null;

  @OneOf(VISIBILITIES)
  visibility!: Visibility;

  @IsoTime()
  updated_at!: string;

  @IsoTime()
  created_at!: string;

  @Id({ nullable: true })
  project_id!: number | null;

  @Text()
  web_url!: string;

  @Text()
  raw_url!: string;

  @Text({ nullable: true, description: 'Always null: git is served over HTTP' })
  ssh_url_to_repo!: null;

  @Text()
  http_url_to_repo!: string;
}

class OfProject {
  @Nested(() => MovedProjectRecord, { nullable: true, description: 'Null if it no longer exists' })
  project!: MovedProjectRecord | null;
}

class OfGroup {
  @Nested(() => MovedGroupRecord, { nullable: true, description: 'Null if it no longer exists' })
  group!: MovedGroupRecord | null;
}

class OfSnippet {
  @Nested(() => MovedSnippetRecord, { nullable: true, description: 'Null if it no longer exists' })
  snippet!: MovedSnippetRecord | null;
}

/** A move of a project's repositories. */
export class ProjectMoveRecord extends bothOf(StorageMoveRecord, OfProject) {}

/** A move of a group's wiki. */
export class GroupMoveRecord extends bothOf(StorageMoveRecord, OfGroup) {}

/** A move of a snippet. */
export class SnippetMoveRecord extends bothOf(StorageMoveRecord, OfSnippet) {}
