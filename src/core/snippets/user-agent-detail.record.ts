import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** From where a snippet was made, for administrators who look into abuse. */
export class UserAgentDetailRecord {
  @Text({ nullable: true })
  user_agent!: string | null;

  @Text({ nullable: true })
  ip_address!: string | null;

  @Flag({ description: 'Nothing is ever sent to a spam service' })
  akismet_submitted!: boolean;
}
