import { Flag, Id } from '#kernel/http/fields/scalar-fields.js';

/** Restrictions of access by job tokens to and from a project. */
export class JobTokenScopeRecord {
  @Flag({ description: 'Jobs of other projects have access only if their project is on the list' })
  inbound_enabled!: boolean;

  @Flag({ description: 'Jobs of this project have access only to listed projects' })
  outbound_enabled!: boolean;
}

/** An entry of the list. */
export class JobTokenLinkRecord {
  @Id({ description: 'The project that has the list' })
  source_project_id!: number;

  @Id({ description: 'The project whose jobs have access' })
  target_project_id!: number;
}
