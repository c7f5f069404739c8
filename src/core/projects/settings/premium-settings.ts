import { Flag, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { FeatureLevel } from './project-features.js';

/** Settings of a project in the premium plan; ignored and not shown in lower plans. */
export class PremiumSettings {
  @Integer({ min: 0, max: 100 })
  approvals_before_merge!: number;

  @Flag()
  mirror!: boolean;

  @Text({ maxLength: 255, blank: true })
  external_authorization_classification_label!: string;

  @OneOf(['disabled', 'private', 'enabled'])
  requirements_access_level!: FeatureLevel;

  @Text({ nullable: true })
  issues_template!: string | null;

  @Text({ nullable: true })
  merge_requests_template!: string | null;

  @Flag()
  merge_pipelines_enabled!: boolean;

  @Flag()
  merge_trains_enabled!: boolean;
}

/** Defaults of these settings. */
export const PREMIUM_DEFAULTS: Readonly<PremiumSettings> = {
  approvals_before_merge: 0,
  mirror: false,
  external_authorization_classification_label: '',
  requirements_access_level: 'enabled',
  issues_template: null,
  merge_requests_template: null,
  merge_pipelines_enabled: false,
  merge_trains_enabled: false,
};
