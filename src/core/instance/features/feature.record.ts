import { Anything, Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { stateOf, type FeatureGate, type FeatureGates } from '#core/instance/feature-gates.js';
import { definitionOf, type FlagDefinition } from './flag-definitions.js';

/** Definition of a known flag. */
export class FlagDefinitionRecord implements FlagDefinition {
  @Text()
  name!: string;

  @OneOf(['development', 'ops'])
  type!: FlagDefinition['type'];

  @Text()
  group!: string;

  @Text()
  milestone!: string;

  @Flag()
  default_enabled!: boolean;

  @Flag()
  log_state_changes!: boolean;

  @Text({ nullable: true })
  introduced_by_url!: string | null;

  @Text({ nullable: true })
  rollout_issue_url!: string | null;
}

/** A gate of a flag. */
export class FeatureGateRecord {
  @OneOf(['boolean', 'percentage_of_time', 'percentage_of_actors', 'actors', 'groups'])
  key!: FeatureGate['key'];

  @Anything({ description: 'A boolean, a percentage, or names such as `User:1`', example: true })
  value!: FeatureGate['value'];
}

/** A flag that was set. */
export class FeatureRecord {
  @Text()
  name!: string;

  @OneOf(['on', 'off', 'conditional'])
  state!: 'on' | 'off' | 'conditional';

  @ListOf(() => FeatureGateRecord)
  gates!: FeatureGateRecord[];

  @Nested(() => FlagDefinitionRecord, { nullable: true })
  definition!: FlagDefinitionRecord | null;
}

/** Presents a flag; its definition is null if it was set only by force. */
export const presentFeature = (name: string, gates: FeatureGates): FeatureRecord => ({
  name,
  state: stateOf(gates),
  gates: [...gates],
  definition: definitionOf(name),
});
