import { Nested } from '#kernel/http/fields/composite-fields.js';
import { IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { GroupBasicRecord } from '#core/groups/group.record.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';

/** A user who starred a project. */
export class StarrerRecord {
  @IsoTime()
  starred_since!: string;

  @Nested(() => UserBasicRecord)
  user!: UserBasicRecord;
}

/** A group that gives its members a role in a project. */
export class ProjectGroupRecord extends GroupBasicRecord {
  @Text({ nullable: true })
  avatar_url!: string | null;

  @Text()
  full_name!: string;

  @Text()
  full_path!: string;
}
