import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** The client that created a snippet, for administrators who investigate abuse. */
export class UserAgentDetailRecord {
  @Text({ nullable: true })
  user_agent!: string | null;

  @Text({ nullable: true })
  ip_address!: string | null;

  @Flag({ description: 'Nothing is ever sent to a spam service' })
  akismet_submitted!: boolean;
}
