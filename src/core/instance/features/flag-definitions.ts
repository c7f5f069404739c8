/** Definition of a flag that the product uses. */
export interface FlagDefinition {
  readonly name: string;
  readonly type: 'development' | 'ops';
  readonly group: string;
  readonly milestone: string;
  readonly default_enabled: boolean;
  readonly log_state_changes: boolean;
  readonly introduced_by_url: string | null;
  readonly rollout_issue_url: string | null;
}

/** All known flags; others can only be set by force and have no effect by themselves. */
export const FLAG_DEFINITIONS: readonly FlagDefinition[] = [
  {
    name: 'api_redirect_moved_projects',
    type: 'ops',
    group: 'projects',
    milestone: '14.0',
    default_enabled: false,
    log_state_changes: true,
    introduced_by_url: null,
    rollout_issue_url: null,
  },
];

/** Returns the definition of a flag, or null. */
export const definitionOf = (name: string): FlagDefinition | null =>
  FLAG_DEFINITIONS.find((definition) => definition.name === name) ?? null;
