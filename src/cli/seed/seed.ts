import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '#kernel/config/config.js';
import { randomToken } from '#kernel/crypto/tokens.js';
import { Transactions } from '#kernel/database/transactions.js';
import { TokensService } from '#core/tokens/tokens.service.js';
import { withServices } from '../framework/context.js';
import type { CommandResult } from '../framework/output.js';
import { showProgress } from '../framework/progress.js';
import { ensurePeople, type Cast } from './people.js';
import { ensureProjects, type Period } from './projects.js';
import { ensureTeams } from './teams.js';
import { GUIDE } from './world.js';

interface Options {
  readonly projects: number;
  readonly months: number;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const PASSWORD_LENGTH = 16;

/**
 * Fills the database with demo data. Existing data is left alone, so an interrupted run can be continued and
 * a later one may add more projects.
 */
export async function seed({ projects, months }: Options, asJson: boolean): Promise<CommandResult> {
  return withServices(
    async ({ app, config }) => {
      const period = periodOf(months);
      const before = new Date(period.from.getTime() - WEEK_MS);
      const password = randomToken('', PASSWORD_LENGTH);
      const progress = showProgress('Projects', projects, asJson);
      try {
        const cast = await ensurePeople(app, password, before);
        const teams = await ensureTeams(app, cast, before);
        const world = { cast, teams, period, count: projects };
        const created = await ensureProjects(app, world, () => progress.step());
        const counts = { users: cast.created, groups: teams.created, ...created };
        if (Object.values(counts).every((count) => count === 0)) return alreadySeeded();
        const secrets = cast.created > 0 ? { password, token: await tokenOfGuide(app, cast) } : null;
        return result(config, counts, secrets);
      } finally {
        progress.end();
      }
    },
    { creates: true },
  );
}

/** Rounded to whole minutes, so that two runs at about the same time agree. */
function periodOf(months: number): Period {
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const from = new Date(now);
  from.setUTCMonth(from.getUTCMonth() - months);
  return { from, now };
}

async function tokenOfGuide(app: INestApplicationContext, { ids }: Cast): Promise<string> {
  const fields = {
    userId: ids.get(GUIDE) as number,
    name: 'Demonstration',
    scopes: ['api'],
    expiresAt: null,
  } as const;
  const tokens = app.get(TokensService, { strict: false });
  return (await app.get(Transactions).run((tx) => tokens.create(tx, fields))).token;
}

function alreadySeeded(): CommandResult {
  return {
    json: { seeded: false, reason: 'already seeded' },
    lines: [
      'This database is already seeded: nothing was changed.',
      `To create a token: npm run cli -- token create --user ${GUIDE}`,
    ],
  };
}

function result(
  { externalUrl }: Config,
  counts: Readonly<Record<string, number>>,
  secrets: { readonly password: string; readonly token: string } | null,
): CommandResult {
  const made = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  const token = secrets?.token ?? '<token>';
  return {
    json: { seeded: true, created: counts, user: GUIDE, ...secrets },
    lines: [
      `Created ${made.join(', ')}.`,
      '',
      ...(secrets
        ? [
            `Sign in as ${GUIDE} or any other demo user, password: ${secrets.password}`,
            `Token of ${GUIDE}: ${token}`,
          ]
        : [`To create a token: npm run cli -- token create --user ${GUIDE}`]),
      '',
      'While the service runs, try:',
      `  curl -H "PRIVATE-TOKEN: ${token}" "${externalUrl}/api/v4/projects?simple=true"`,
      `  curl -H "PRIVATE-TOKEN: ${token}" "${externalUrl}/api/v4/projects/orchard-shop%2Fweb%2Fstorefront/deployments?environment=production&status=success"`,
    ],
  };
}
