import { Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTime } from '#kernel/http/times.js';
import { SETTING_FIELDS } from './setting-fields.js';
import type { SettingsSnapshot } from './settings.service.js';
import { PLANS, type Plan, type SettingName, type SettingsValues } from './settings.js';

/** Has the type of the settings; their fields are added below. */
const Values = Object as unknown as new () => SettingsValues;
const ChangesParams = Object as unknown as new () => Partial<SettingsValues>;

/** Parameters of a change of settings or the plan. */
export class ChangeSettingsParams extends ChangesParams {
  @OneOf(PLANS, { optional: true, description: 'Plan whose features are available' })
  license_plan?: Plan;
}

/** All settings of the instance. */
export class SettingsRecord extends Values {
  @Id()
  id!: number;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @OneOf(PLANS)
  license_plan!: Plan;

  @Text({
    nullable: true,
    description:
      'Registers runners for all projects; null for tokens that only read, and when it cannot be decrypted',
  })
  runners_registration_token!: string | null;
}

const names = Object.keys(SETTING_FIELDS) as SettingName[];
for (const name of names) {
  SETTING_FIELDS[name]({ optional: true })(ChangeSettingsParams.prototype, name);
  SETTING_FIELDS[name]({})(SettingsRecord.prototype, name);
}

/** Presents the settings in force. */
export function presentSettings(
  { plan, values, createdAt, updatedAt }: SettingsSnapshot,
  registrationToken: string | null,
): SettingsRecord {
  const known = Object.fromEntries(names.map((name) => [name, values[name]])) as unknown as SettingsValues;
  return {
    id: 1,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    license_plan: plan,
    ...known,
    runners_registration_token: registrationToken,
  };
}
