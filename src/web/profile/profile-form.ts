import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** Form of the profile as entered; values not sent remain unchanged. */
export class ProfileForm {
  @Text({ optional: true, trim: true })
  name?: string;

  @Text({ optional: true, trim: true })
  pronouns?: string;

  @Text({ optional: true, trim: true })
  public_email?: string;

  @Text({ optional: true, trim: true })
  commit_email?: string;

  @Text({ optional: true })
  bio?: string;

  @Text({ optional: true, trim: true })
  location?: string;

  @Text({ optional: true, trim: true })
  organization?: string;

  @Text({ optional: true, trim: true })
  job_title?: string;

  @Text({ optional: true, trim: true })
  website_url?: string;

  @Text({ optional: true, trim: true })
  linkedin?: string;

  @Text({ optional: true, trim: true })
  twitter?: string;

  @Text({ optional: true, trim: true })
  discord?: string;

  @Text({ optional: true, trim: true })
  skype?: string;

  @Flag({ optional: true })
  private_profile?: boolean;
}
