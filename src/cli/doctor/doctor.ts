import { commandConfig } from '../framework/context.js';
import { checkDatabase } from './doctor-database.js';
import { checkSurroundings } from './doctor-surroundings.js';
import type { CommandResult } from '../framework/output.js';

/**
 * Checks database, storage and queue. Changes nothing unless told to repair counters. The exit code is 1 if a
 * problem is found and not repaired.
 */
export async function doctor({ mend = false }: { readonly mend?: boolean }): Promise<CommandResult> {
  const config = commandConfig();
  const checks = [...(await checkDatabase(config, mend)), ...(await checkSurroundings(config))];
  const wrong = checks.filter(({ problem }) => problem !== null).length;
  const mendable = checks.filter((one) => one.mendable === true).length;
  return {
    json: { ok: wrong === 0, checks },
    lines: [
      ...checks.flatMap(({ check, problem, mended = null }) => [
        ...(mended === null ? [] : [`mended   ${check}: ${mended}`]),
        problem === null ? `ok       ${check}` : `PROBLEM  ${check}: ${problem}`,
      ]),
      wrong === 0 ? 'All is well.' : `${wrong} of ${checks.length} checks found problems.`,
      ...(mendable === 0 ? [] : [`\`doctor --mend\` repairs what ${mendable} of them found.`]),
    ],
    exitCode: wrong === 0 ? 0 : 1,
  };
}
