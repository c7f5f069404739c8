import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import { neededTextIn, textIn, timeIn, wordIn, type SourceRecord } from '#core/exchange/source-record.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { environmentNameProblem, environmentType } from '../naming/environment-name.js';
import { environmentSlug } from '../naming/environment-slug.js';
import { guessTier, TIERS, type EnvironmentTier } from '../naming/environment-tier.js';
import { externalUrlProblem } from '../naming/external-url.js';
import { boundToTierSql } from '../protection/protection.sql.js';

const MAX_TEXT = 255;
const SLUG = /^[a-z]([a-z0-9-]{0,22}[a-z0-9])?$/;

/** A validated environment; one that was stopping at the source is stopped here. */
interface ImportedEnvironment {
  readonly name: string;
  /** Candidates; the first that is free is used. */
  readonly slugs: readonly string[];
  readonly environment_type: string | null;
  readonly tier: EnvironmentTier;
  readonly suggested: EnvironmentTier;
  readonly state: 'available' | 'stopped';
  readonly external_url: string | null;
  readonly auto_stop_at: string | null;
  readonly auto_delete_at: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

const EXPORT = `select e.id, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug, 'tier', e.tier, 'state', e.state,
    'external_url', e.external_url, 'auto_stop_at', ${isoTimeSql('e.auto_stop_at')}, 'auto_delete_at', ${isoTimeSql('e.auto_delete_at')},
    'created_at', ${isoTimeSql('e.created_at')}, 'updated_at', ${isoTimeSql('e.updated_at')})::text as json
  from environments e where e.project_id = $1 and e.id > $2 order by e.id limit $3`;

/** SQL condition: the importing user may not give `r` another tier than its name suggests. */
const IS_BOUND = `r.tier <> r.suggested and ${boundToTierSql('$1::bigint', 'r.name', 'r.suggested', 'r.tier', '$3::bigint', 'null')}`;

const WRITE = `insert into environments (project_id, name, slug, environment_type, tier, state, external_url, auto_stop_at, auto_delete_at,
    created_at, updated_at)
  select $1::bigint, r.name, r.slug, r.environment_type, case when ${IS_BOUND} then r.suggested else r.tier end, r.state, r.external_url, r.auto_stop_at, r.auto_delete_at,
    coalesce(r.created_at, now()), coalesce(r.updated_at, r.created_at, now())
  from json_to_recordset($2::json) as r(name text, slug text, environment_type text, tier text, suggested text, state text, external_url text,
    auto_stop_at timestamptz, auto_delete_at timestamptz, created_at timestamptz, updated_at timestamptz)
  on conflict (project_id, name) do nothing returning name, tier`;

const TAKEN = 'select name, slug from environments where project_id = $1';
const KNOWN = 'select id, name from environments where project_id = $1 and name = any($2::text[])';

/** Exports and imports environments, which v4 servers do not. */
@Injectable()
export class EnvironmentsExchange implements OnModuleInit {
  constructor(private readonly exchanges: ExchangesRegistry) {}

  onModuleInit(): void {
    this.exchanges.register({
      of: 'project',
      relation: 'environments',
      stage: STAGES.project.referred,
      isExtension: true,
      page: EXPORT,
      titledBy: ['name'],
      keyedBy: ['name', 'id'],
      transform,
      load,
    });
  }
}

function transform(record: SourceRecord): ImportedEnvironment {
  const name = neededTextIn(record, 'name', MAX_TEXT);
  const problem = environmentNameProblem(name);
  if (problem !== null) throw new RecordRefused(`name ${problem}`);
  const isStopped =
    wordIn(record, 'state', ['available', 'stopping', 'stopped'], 'available') !== 'available';
  const slug = textIn(record, 'slug', MAX_TEXT);
  const url = textIn(record, 'external_url', MAX_TEXT);
  return {
    name,
    slugs: [
      ...(slug !== null && SLUG.test(slug) ? [slug] : []),
      environmentSlug(name),
      environmentSlug(name, 1),
    ],
    environment_type: environmentType(name),
    tier: wordIn(record, 'tier', TIERS, guessTier(name)),
    suggested: guessTier(name),
    state: isStopped ? 'stopped' : 'available',
    external_url: url !== null && externalUrlProblem(url) === null ? url : null,
    auto_stop_at: isStopped ? null : timeIn(record, 'auto_stop_at'),
    auto_delete_at: timeIn(record, 'auto_delete_at'),
    created_at: timeIn(record, 'created_at'),
    updated_at: timeIn(record, 'updated_at'),
  };
}

/**
 * Keeps existing environments and maps those of the source to them. The tier from the source cannot bypass
 * the protection by a group.
 */
async function load(
  tx: Tx,
  target: ImportTarget,
  rows: readonly ImportedEnvironment[],
): Promise<(number | null)[]> {
  const { ownerId, importerId } = target;
  const taken = await tx.query<{ name: string; slug: string }[]>(TAKEN, [ownerId]);
  const slugs = new Set(taken.map(({ slug }) => slug));
  const values = rows.map(({ slugs: wanted, ...row }) => {
    const slug = wanted.find((one) => !slugs.has(one)) ?? wanted.at(-1) ?? '';
    slugs.add(slug);
    return { ...row, slug };
  });
  const made = await tx.query<Pick<ImportedEnvironment, 'name' | 'tier'>[]>(WRITE, [
    ownerId,
    JSON.stringify(values),
    importerId,
  ]);
  const tiers = new Map(made.map(({ name, tier }) => [name, tier]));
  for (const { name, tier } of values) {
    const given = tiers.get(name) ?? tier;
    if (given !== tier)
      await target.report(tx, {
        title: name,
        message: `is of the tier ${given} here: the importing user may not choose ${tier}`,
      });
  }
  const names = rows.map(({ name }) => name);
  const known = await tx.query<{ id: number; name: string }[]>(KNOWN, [ownerId, names]);
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  return names.map((name) => ids.get(name) ?? null);
}
