// Runs the rules of eslint.config.mjs with oxlint, whose compiled versions of the rules of ESLint and
// typescript-eslint take a tenth of the time, and which also reports type errors. `npx eslint <files>` runs
// the same rules with ESLint.
import { ESLint } from 'eslint';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

/** Files included by tsconfig.json are checked with types, and warnings count as errors. */
const OPTIONS = [
  '--type-aware',
  '--type-check',
  '--tsconfig=tsconfig.json',
  '--report-unused-disable-directives',
  '--deny-warnings',
];

/** Represents all files without rules of their own; it need not exist. */
const ELSEWHERE = 'src/main.ts';

/** Files with rules of their own, and one that represents them and need not exist. */
const PARTS = [
  { files: ['**/src/kernel/config/**'], example: 'src/kernel/config/any.ts' },
  { files: ['**/test/**/*.ts'], example: 'test/api/any.spec.ts' },
  { files: ['**/*.mjs'], example: 'scripts/any.mjs' },
  { files: ['**/*.cjs'], example: 'scripts/any.cjs', env: { commonjs: true } },
];

/** In modules, what these forbid is a syntax error. */
const SYNTAX = new Set(['no-dupe-args', 'no-octal']);
/** The option as ESLint completes it has keys that oxlint does not support. */
const PLAIN = new Set(['preserve-caught-error']);
/**
 * Imports used only as types are needed at run time if decorators create metadata from them:
 * typescript-eslint skips such files too.
 */
const TYPE_IMPORTS = 'typescript/consistent-type-imports';
const DECORATED = /^\s*@[A-Z]\w*\(/m;

const eslint = new ESLint();
const folder = mkdtempSync(join(tmpdir(), 'forgeplane-lint-'));
const path = join(folder, 'oxlint.json');
writeFileSync(path, JSON.stringify(await configuration()));
// It rejects an unknown rule or option.
const { status } = spawnSync(
  process.execPath,
  ['node_modules/oxlint/bin/oxlint', ...OPTIONS, '-c', path, '.'],
  { stdio: 'inherit' },
);
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;

async function configuration() {
  const { rules } = await partOf(ELSEWHERE);
  const parts = await Promise.all(
    PARTS.map(async ({ files, example, env }) => {
      const own = await partOf(example);
      const off = Object.keys(rules).filter((name) => !(name in own.rules));
      return {
        files,
        globals: own.globals,
        ...(env ? { env } : {}),
        rules: { ...own.rules, ...Object.fromEntries(off.map((name) => [name, 'off'])) },
      };
    }),
  );
  const decorated = { files: decoratedFiles(), rules: { [TYPE_IMPORTS]: 'off' } };
  return {
    plugins: ['typescript'],
    categories: { correctness: 'off' },
    rules,
    overrides: [...parts, decorated],
  };
}

/** Returns the rules and globals of a file, in oxlint's terms. */
async function partOf(example) {
  const config = await eslint.calculateConfigForFile(example);
  const rules = Object.entries(config.rules)
    .filter(([name, [level]]) => level > 0 && !SYNTAX.has(name))
    .map(([name, [, ...options]]) => [
      name.replace('@typescript-eslint/', 'typescript/'),
      ['error', ...(PLAIN.has(name) ? [] : options)],
    ]);
  const globals = example.endsWith('.mjs') ? config.languageOptions.globals : {};
  return { rules: Object.fromEntries(rules), globals };
}

function decoratedFiles() {
  return ['src', 'migrations', 'test']
    .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => `${root}/${name}`))
    .filter(
      (name) =>
        name.endsWith('.ts') && !name.includes('node_modules/') && DECORATED.test(readFileSync(name, 'utf8')),
    )
    .map((name) => `**/${name}`);
}
