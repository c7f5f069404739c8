import type { Values } from '#kernel/http/fields/derived-fields.js';
import { Flag } from '#kernel/http/fields/scalar-fields.js';
import type { ProjectFeatures } from './project-features.js';
import type { PremiumSettings } from './premium-settings.js';

/** The older switches of parts of a project, each of which corresponds to an access level. */
export class FeatureSwitches {
  @Flag()
  issues_enabled!: boolean;

  @Flag()
  merge_requests_enabled!: boolean;

  @Flag()
  wiki_enabled!: boolean;

  @Flag()
  jobs_enabled!: boolean;

  @Flag()
  snippets_enabled!: boolean;

  @Flag()
  packages_enabled!: boolean;
}

/** The switches of parts of a higher plan. */
export class PremiumSwitches {
  @Flag()
  requirements_enabled!: boolean;

  @Flag()
  security_and_compliance_enabled!: boolean;
}

type SwitchName = keyof FeatureSwitches | keyof PremiumSwitches;
type LevelName = keyof ProjectFeatures | keyof Pick<PremiumSettings, 'requirements_access_level'>;

const SWITCHES: Readonly<Record<SwitchName, LevelName>> = {
  issues_enabled: 'issues_access_level',
  merge_requests_enabled: 'merge_requests_access_level',
  wiki_enabled: 'wiki_access_level',
  jobs_enabled: 'builds_access_level',
  snippets_enabled: 'snippets_access_level',
  packages_enabled: 'package_registry_access_level',
  requirements_enabled: 'requirements_access_level',
  security_and_compliance_enabled: 'security_and_compliance_access_level',
};

/** Returns the access levels that correspond to the given switches. */
export function levelsOf(switches: Partial<FeatureSwitches & PremiumSwitches>): Record<string, string> {
  const levels: Record<string, string> = {};
  for (const [name, level] of Object.entries(SWITCHES)) {
    const isOn = switches[name as SwitchName];
    if (isOn !== undefined) levels[level] = isOn ? 'enabled' : 'disabled';
  }
  return levels;
}

/** Returns the switches that records show. */
export function switchesOf(levels: ProjectFeatures): Values<FeatureSwitches> {
  return {
    issues_enabled: levels.issues_access_level !== 'disabled',
    merge_requests_enabled: levels.merge_requests_access_level !== 'disabled',
    wiki_enabled: levels.wiki_access_level !== 'disabled',
    jobs_enabled: levels.builds_access_level !== 'disabled',
    snippets_enabled: levels.snippets_access_level !== 'disabled',
    packages_enabled: levels.package_registry_access_level !== 'disabled',
  };
}
