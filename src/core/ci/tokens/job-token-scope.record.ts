import { Flag, Id } from '#kernel/http/fields/scalar-fields.js';

/** Restrictions of access by job tokens to and from a project. */
export class JobTokenScopeRecord {
  @Flag({ description: 'Jobs of other projects must be on the list to be let in' })
  inbound_enabled!: boolean;

  @Flag({ description: 'Jobs of this project reach only projects that are named' })
  outbound_enabled!: boolean;
}

/** An entry of the list. */
export class JobTokenLinkRecord {
  @Id({ description: 'The project that keeps the list' })
  source_project_id!: number;

  @Id({ description: 'The project whose jobs are let in' })
  target_project_id!: number;
}
