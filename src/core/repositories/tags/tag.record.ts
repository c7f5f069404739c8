import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Anything, Flag, Text } from '#kernel/http/fields/scalar-fields.js';
import { CommitRecord, presentCommit, withMilliseconds } from '../commits/commit.record.js';
import type { Commit } from '../git/commit-log.js';

/** A tag with its commit. */
export class TagRecord {
  @Text({ example: 'v1.0.0' })
  name!: string;

  @Text({ nullable: true, description: 'Of an annotated tag' })
  message!: string | null;

  @Text({ description: 'Id of the commit, or of the annotated tag itself' })
  target!: string;

  @Nested(() => CommitRecord, { nullable: true, description: 'Null for a tag of something else' })
  commit!: CommitRecord | null;

  @Anything({ nullable: true, description: 'There are no releases: always null' })
  release!: null;

  @Flag()
  protected!: boolean;

  @Text({ nullable: true, description: 'When an annotated tag was made' })
  created_at!: string | null;
}

/** All facts about a tag. */
export interface Tag {
  readonly name: string;
  readonly target: string;
  readonly message: string | null;
  /** As `isoTime` formats it. */
  readonly taggedAt: string | null;
  readonly commit: Commit | null;
  readonly protected: boolean;
}

/** Presents a tag; `webBase`: page of the project. */
export const presentTag = (tag: Tag, webBase: string): TagRecord => ({
  name: tag.name,
  message: tag.message,
  target: tag.target,
  commit: tag.commit && presentCommit(tag.commit, webBase),
  release: null,
  protected: tag.protected,
  created_at: tag.taggedAt === null ? null : withMilliseconds(tag.taggedAt),
});
