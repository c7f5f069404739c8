// Rejects migrations that lock or rewrite a table that can be large. Each `up` runs against a recorder, and
// Squawk checks the recorded statements; backfills belong in a job that works in batches
// (docs/add-a-feature.md). The first schema is left out, because it runs on an empty database.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const FIRST = 'FirstSchema1760000000001';

/** Returns the statements of an `up`, and whether they form one transaction. */
export async function recorded(Migration) {
  const migration = new Migration();
  const statements = [];
  await migration.up({
    query: (text) => {
      statements.push(text.trim().replace(/;$/, ''));
      return Promise.resolve([]);
    },
  });
  return { text: `${statements.join(';\n')};\n`, isTransaction: migration.transaction !== false };
}

/** Returns the problems of a migration, one line each. */
export function findings({ text, isTransaction }) {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-migration-'));
  try {
    const file = join(folder, 'up.sql');
    writeFileSync(file, text);
    return [...unbounded(text), ...concurrently(text, isTransaction), ...squawk(file, isTransaction)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Finds changes of existing rows: bodies of functions are not run here. */
function unbounded(text) {
  const run = text.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$$$').replace(/--.*$/gm, '');
  return run
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => /^(with\b.*\b)?(update|delete|insert into \S+ .*\bselect)\b/i.test(statement))
    .map((statement) => `rows are changed in a migration, use a back-fill: ${statement.slice(0, 80)}`);
}

/** PostgreSQL rejects it too, but only if there is an index to build. */
const concurrently = (text, isTransaction) =>
  isTransaction && /\bindex concurrently\b/i.test(text)
    ? ['an index is built concurrently outside of transactions: set `transaction = false`']
    : [];

function squawk(file, isTransaction) {
  const args = ['--config', join(root, '.squawk.toml'), '--reporter', 'gcc'];
  if (isTransaction) args.push('--assume-in-transaction');
  try {
    execFileSync(join(root, 'test/tools/node_modules/.bin/squawk'), [...args, file], {
      encoding: 'utf8',
      cwd: root,
    });
    return [];
  } catch (error) {
    if (typeof error.stdout !== 'string' || error.stdout === '') throw error;
    return error.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^.*?: (?:warning|error): /, ''));
  }
}

async function main() {
  const folder = join(root, 'dist/migrations');
  let failed = false;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const migrations = Object.values(await import(pathToFileURL(join(folder, name)).href));
    for (const Migration of migrations.filter((one) => one.name !== FIRST)) {
      for (const finding of findings(await recorded(Migration))) {
        failed = true;
        console.log(`${Migration.name}: ${finding}`);
      }
    }
  }
  process.exitCode = failed ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
