import { Flag, Integer, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { UserBasicRecord } from './user-basic.record.js';

/** A single user as everybody who may see the profile sees it. */
export class UserProfileRecord extends UserBasicRecord {
  @IsoTime()
  created_at!: string;

  @Text()
  bio!: string;

  @Text()
  location!: string;

  @Text()
  public_email!: string;

  @Text()
  skype!: string;

  @Text()
  linkedin!: string;

  @Text()
  twitter!: string;

  @Text()
  discord!: string;

  @Text()
  website_url!: string;

  @Text()
  organization!: string;

  @Text()
  job_title!: string;

  @Text({ nullable: true })
  pronouns!: string | null;

  @Flag()
  bot!: boolean;

  @Text({ nullable: true, description: 'Job title and organization in one line' })
  work_information!: string | null;

  @Integer()
  followers!: number;

  @Integer()
  following!: number;

  @Flag()
  is_followed!: boolean;

  @Text({ nullable: true })
  local_time!: string | null;
}
