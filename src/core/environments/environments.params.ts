import { IsEmpty, MaxDate, MinDate, MinLength } from 'class-validator';
import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { Flag, Id, Integer, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { ENVIRONMENT_STATES, type EnvironmentState } from './environment.entity.js';
import { TIERS, type EnvironmentTier } from './naming/environment-tier.js';

const AUTOMATIC = 'is automatically generated and cannot be changed';
const WEEK_MS = 7 * 86_400_000;

const tenYearsAgo = (): Date => {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() - 10);
  return date;
};

/** Filters of the list of environments. */
export class ListEnvironmentsParams {
  @ExclusiveWith(['search'], 'cannot be used together with')
  @Text({ optional: true, description: 'Exact name' })
  name?: string;

  @MinLength(3, { message: 'Search query is less than 3 characters' })
  @Text({ optional: true, description: 'Prefix of the name, three characters or more, case-insensitive' })
  search?: string;

  @OneOf(ENVIRONMENT_STATES, { optional: true })
  states?: EnvironmentState;
}

/** A new environment. */
export class CreateEnvironmentParams {
  @Text({ description: 'Unique within the project' })
  name!: string;

  @Text({ optional: true, nullable: true, description: 'URL of the environment' })
  external_url?: string | null;

  @OneOf(TIERS, { optional: true, description: 'Default: derived from the name' })
  tier?: EnvironmentTier;

  @IsEmpty({ message: AUTOMATIC })
  @Text({ optional: true, description: 'Always made from the name: refused' })
  slug?: string;
}

/** Path parameters of an environment. */
export class FindEnvironmentParams {
  @Id()
  environment_id!: number;
}

/** Changes to an environment. */
export class UpdateEnvironmentParams extends FindEnvironmentParams {
  @Text({ optional: true, description: 'Deprecated and ignored: an environment keeps its name' })
  name?: string;

  @Text({ optional: true, nullable: true })
  external_url?: string | null;

  @OneOf(TIERS, { optional: true })
  tier?: EnvironmentTier;

  @IsEmpty({ message: AUTOMATIC })
  @Text({ optional: true })
  slug?: string;
}

/** Parameters for stopping an environment. */
export class StopEnvironmentParams extends FindEnvironmentParams {
  @Flag({ optional: true, description: 'Stop without running the jobs that stop it' })
  force?: boolean;
}

/** Parameters for stopping stale environments. */
export class StopStaleEnvironmentsParams {
  @MinDate(tenYearsAgo, { message: 'Invalid Date' })
  @MaxDate(() => new Date(Date.now() - WEEK_MS), { message: 'Invalid Date' })
  @IsoTime({ description: 'Not changed since this time: at least a week ago, at most ten years' })
  before!: Date;
}

/** Parameters for scheduling the removal of stopped review environments. */
export class DeleteReviewAppsParams {
  @IsoTime({ optional: true, description: 'Created before this time; default: 30 days ago' })
  before?: Date;

  @Integer({ optional: true, min: 1, max: 1000, description: '100 unless given' })
  limit?: number;

  @Flag({ optional: true, description: 'Only report what would be removed; default true' })
  dry_run?: boolean;
}
