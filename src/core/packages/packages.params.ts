import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Orders of the list of packages. */
export const PACKAGE_ORDERS = ['created_at', 'name', 'version', 'type', 'id'] as const;

const STATUSES = ['default', 'hidden', 'processing', 'error', 'pending_destruction'];
const TYPES =
  'maven npm conan nuget pypi composer generic golang debian rubygems helm terraform_module rpm ml_model';

/** Filters and order of the list of packages. */
export class ListPackagesParams {
  @OneOf(PACKAGE_ORDERS, { optional: true, description: 'created_at unless given' })
  order_by?: (typeof PACKAGE_ORDERS)[number];

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: asc' })
  sort?: 'asc' | 'desc';

  @OneOf(TYPES.split(' '), { optional: true })
  package_type?: string;

  @Text({ optional: true, maxLength: 255, description: 'Part of the name' })
  package_name?: string;

  @Text({ optional: true, maxLength: 255, description: 'Exact version' })
  package_version?: string;

  @Flag({ optional: true, description: 'Every package here has a version' })
  include_versionless?: boolean;

  @OneOf(STATUSES, { optional: true, description: 'Default: default' })
  status?: string;
}

/** Path parameters of a package. */
export class FindPackageParams {
  @Id()
  package_id!: number;
}

/** Path parameters of a file of a package. */
export class FindPackageFileParams extends FindPackageParams {
  @Id()
  package_file_id!: number;
}
