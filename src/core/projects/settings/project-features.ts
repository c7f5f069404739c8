import { OneOf } from '#kernel/http/fields/scalar-fields.js';

const LEVELS = ['disabled', 'private', 'enabled'] as const;
const PUBLIC_LEVELS = [...LEVELS, 'public'] as const;

/** Who can use a part of a project: nobody, its members, or everyone who can see the project. */
export type FeatureLevel = (typeof PUBLIC_LEVELS)[number];

const Level = (): PropertyDecorator => OneOf(LEVELS);
const PublicLevel = (): PropertyDecorator => OneOf(PUBLIC_LEVELS);

/** Access levels of the parts of a project; guards read them by these names. */
export class ProjectFeatures {
  @Level()
  issues_access_level!: FeatureLevel;

  @Level()
  repository_access_level!: FeatureLevel;

  @Level()
  merge_requests_access_level!: FeatureLevel;

  @Level()
  forking_access_level!: FeatureLevel;

  @Level()
  wiki_access_level!: FeatureLevel;

  @Level()
  builds_access_level!: FeatureLevel;

  @Level()
  snippets_access_level!: FeatureLevel;

  @PublicLevel()
  pages_access_level!: FeatureLevel;

  @Level()
  analytics_access_level!: FeatureLevel;

  @Level()
  security_and_compliance_access_level!: FeatureLevel;

  @Level()
  releases_access_level!: FeatureLevel;

  @Level()
  environments_access_level!: FeatureLevel;

  @Level()
  feature_flags_access_level!: FeatureLevel;

  @Level()
  infrastructure_access_level!: FeatureLevel;

  @Level()
  monitor_access_level!: FeatureLevel;

  @PublicLevel()
  package_registry_access_level!: FeatureLevel;
}

/** Default access levels; guards treat a part without a level as enabled. */
export const FEATURE_DEFAULTS: Readonly<ProjectFeatures> = {
  issues_access_level: 'enabled',
  repository_access_level: 'enabled',
  merge_requests_access_level: 'enabled',
  forking_access_level: 'enabled',
  wiki_access_level: 'enabled',
  builds_access_level: 'enabled',
  snippets_access_level: 'enabled',
  pages_access_level: 'private',
  analytics_access_level: 'enabled',
  security_and_compliance_access_level: 'private',
  releases_access_level: 'enabled',
  environments_access_level: 'enabled',
  feature_flags_access_level: 'enabled',
  infrastructure_access_level: 'enabled',
  monitor_access_level: 'enabled',
  package_registry_access_level: 'enabled',
};
