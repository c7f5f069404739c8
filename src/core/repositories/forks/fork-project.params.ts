import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { VISIBILITIES, type Visibility } from '#core/groups/namespaces/namespace.entity.js';

/**
 * Parameters of a fork: its namespace (default: that of the caller), and attributes that differ from the
 * source.
 */
export class ForkProjectParams {
  @Id({ optional: true })
  namespace_id?: number;

  @Text({ optional: true, blankIsNull: true, maxLength: 1024 })
  namespace_path?: string;

  @Text({ optional: true, blankIsNull: true, maxLength: 1024, description: 'The older way: id or path' })
  namespace?: string;

  @Text({ optional: true, maxLength: 255, blank: false })
  name?: string;

  @Text({ optional: true, maxLength: 255, blank: false })
  path?: string;

  @Text({ optional: true, nullable: true, maxLength: 2000 })
  description?: string | null;

  @OneOf(VISIBILITIES, { optional: true, description: 'At most that of the project' })
  visibility?: Visibility;
}
