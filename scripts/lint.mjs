// Runs the rules of eslint.config.mjs: `node scripts/lint.mjs` those that need no types, `--types` those that do. The latter are run by oxlint,
// whose compiled twins of typescript-eslint's rules take a fifteenth of the time, and which looks for errors of types on the way. `npx eslint <files>`
// runs all rules with ESLint.
import { ESLint } from 'eslint';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

const PREFIX = '@typescript-eslint/';
/** A directive is unused only where its rule is run. */
const UNUSED = /^Unused eslint-disable directive .* from '@typescript-eslint\/([\w-]+)'/;

/** What tsconfig.json includes is looked at, and nothing is only a warning. */
const TYPED = [
  '--type-aware',
  '--type-check',
  '--tsconfig=tsconfig.json',
  '--ignore-pattern=**/*.{mjs,cjs,js}',
  '--report-unused-disable-directives',
  '--deny-warnings',
];
/** Files, also such as may never be there, that stand for those around them. */
const EXAMPLES = [
  'src/main.ts',
  'migrations/any.ts',
  'src/any.spec.ts',
  'test/support/api.ts',
  'test/api/any.spec.ts',
];

/** Rules that need no types, but that directives name: none of these is to seem unused. */
const NAMED = { 'no-control-regex': 'error' };

const reference = new ESLint();
process.exitCode = process.argv.includes('--types') ? await lintTypes() : await lintRest();

async function lintRest() {
  process.env.LINT_WITHOUT_TYPES = '1';
  const eslint = new ESLint();
  const needsTypes = typedRules(await reference.calculateConfigForFile('src/main.ts'));
  const results = (await eslint.lintFiles('.')).map((result) => ({
    ...result,
    messages: result.messages.filter(({ message }) => !needsTypes.has(UNUSED.exec(message)?.[1])),
  }));
  const found = results.filter(({ messages }) => messages.length > 0);
  const formatter = await eslint.loadFormatter('stylish');
  process.stdout.write(await formatter.format(found));
  return found.length === 0 ? 0 : 1;
}

async function lintTypes() {
  const [rules, ...others] = await Promise.all(EXAMPLES.map(rulesWithTypes));
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(rules)))
    throw new Error('Rules that need types are the same everywhere: oxlint is given one list');
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-lint-'));
  const path = join(folder, 'oxlint.json');
  writeFileSync(
    path,
    JSON.stringify({
      plugins: ['typescript'],
      categories: { correctness: 'off' },
      rules: { ...NAMED, ...rules },
    }),
  );
  // It refuses a rule or an option that it does not know.
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/oxlint/bin/oxlint', ...TYPED, '-c', path, 'src', 'migrations', 'test'],
    { stdio: 'inherit' },
  );
  rmSync(folder, { recursive: true });
  return status ?? 1;
}

async function rulesWithTypes(example) {
  const config = await reference.calculateConfigForFile(example);
  const needsTypes = typedRules(config);
  const rules = Object.entries(config.rules)
    .filter(([name, [level]]) => level > 0 && needsTypes.has(name.replace(PREFIX, '')))
    .map(([name, [, ...options]]) => [name.replace(PREFIX, 'typescript/'), ['error', ...options]]);
  return Object.fromEntries(rules);
}

/** Names, without prefix, of the rules that ask for types. */
function typedRules({ plugins }) {
  const rules = Object.entries(plugins['@typescript-eslint'].rules);
  return new Set(rules.filter(([, { meta }]) => meta.docs?.requiresTypeChecking).map(([name]) => name));
}
