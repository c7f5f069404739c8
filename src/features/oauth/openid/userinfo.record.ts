import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { GROUP_CLAIMS } from './claims.js';

/** Response of userinfo (OpenID Connect Core, 5.3); claims without a value are omitted. */
export class UserinfoRecord {
  @Text({ description: 'Id of the user' })
  sub!: string;

  @Text()
  sub_legacy!: string;

  @Text()
  name!: string;

  @Text()
  nickname!: string;

  @Text()
  preferred_username!: string;

  @Text({ optional: true })
  email?: string;

  @Flag()
  email_verified!: boolean;

  @Text({ optional: true })
  website?: string;

  @Text()
  profile!: string;

  @Text({ optional: true })
  picture?: string;

  @List(Text(), {
    description: 'Full paths of the groups that the user is a member of, and of their subgroups',
  })
  groups!: string[];

  @List(Text(), { optional: true })
  [GROUP_CLAIMS.owner]?: string[];

  @List(Text(), { optional: true })
  [GROUP_CLAIMS.maintainer]?: string[];

  @List(Text(), { optional: true })
  [GROUP_CLAIMS.developer]?: string[];
}
