import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { NoteRecord } from '#core/notes/note.record.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';

/** What was pushed; for more refs than the limit for single events, only their number. */
export class PushDataRecord {
  @Count()
  commit_count!: number;

  @OneOf(['created', 'removed', 'pushed'])
  action!: string;

  @OneOf(['branch', 'tag'])
  ref_type!: string;

  @Text({ nullable: true })
  commit_from!: string | null;

  @Text({ nullable: true })
  commit_to!: string | null;

  @Text({ nullable: true, example: 'main' })
  ref!: string | null;

  @Text({ nullable: true })
  commit_title!: string | null;

  @Count({ nullable: true })
  ref_count!: number | null;
}

/** The wiki page of an event. */
export class EventWikiPageRecord {
  @Text({ example: 'markdown' })
  format!: string;

  @Text()
  slug!: string;

  @Text()
  title!: string;
}

/** An action of a user in a project. */
export class EventRecord {
  @Id()
  id!: number;

  @Text({ nullable: true, description: 'Always null' })
  title!: null;

  @Id()
  project_id!: number;

  @Text({ example: 'pushed to' })
  action_name!: string;

  @Id({ nullable: true })
  target_id!: number | null;

  @Id({ nullable: true })
  target_iid!: number | null;

  @Text({ nullable: true, example: 'Issue' })
  target_type!: string | null;

  @Id()
  author_id!: number;

  @Text({ nullable: true })
  target_title!: string | null;

  @IsoTime()
  created_at!: string;

  @Nested(() => UserBasicRecord)
  author!: UserBasicRecord;

  @Text()
  author_username!: string;

  @Text({ nullable: true, description: 'Always null' })
  data!: null;

  @Nested(() => NoteRecord, { optional: true, description: 'Of a comment' })
  note?: NoteRecord;

  @Nested(() => PushDataRecord, { optional: true, description: 'Of a push' })
  push_data?: PushDataRecord;

  @Nested(() => EventWikiPageRecord, { optional: true, description: 'Of a page of the wiki' })
  wiki_page?: EventWikiPageRecord;
}
