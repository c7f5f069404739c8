// Runs the rules of eslint.config.mjs by oxlint, whose compiled twins of ESLint's and typescript-eslint's rules take a tenth of the time, and
// which looks for errors of types on the way. `npx eslint <files>` runs the same rules with ESLint.
import { ESLint } from 'eslint';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

/** What tsconfig.json includes is looked at with types, and nothing is only a warning. */
const OPTIONS = [
  '--type-aware',
  '--type-check',
  '--tsconfig=tsconfig.json',
  '--report-unused-disable-directives',
  '--deny-warnings',
];

/** A file that may never be there stands for all others. */
const ELSEWHERE = 'src/main.ts';

/** Files that have rules of their own, and one that may never be there, which stands for them. */
const PARTS = [
  { files: ['**/src/kernel/config/**'], example: 'src/kernel/config/any.ts' },
  { files: ['**/test/**/*.ts'], example: 'test/api/any.spec.ts' },
  { files: ['**/*.mjs'], example: 'scripts/any.mjs' },
  { files: ['**/*.cjs'], example: 'scripts/any.cjs', env: { commonjs: true } },
];

/** In modules, what these forbid is an error of syntax. */
const SYNTAX = new Set(['no-dupe-args', 'no-octal']);
/** Its option, as ESLint fills it in, has more to it than its twin knows. */
const PLAIN = new Set(['preserve-caught-error']);
/** Imports that only types name are needed at run time where decorators make metadata of the types: typescript-eslint looks at no such file either. */
const TYPE_IMPORTS = 'typescript/consistent-type-imports';
const DECORATED = /^\s*@[A-Z]\w*\(/m;

const eslint = new ESLint();
const folder = mkdtempSync(join(tmpdir(), 'forgeplane-lint-'));
const path = join(folder, 'oxlint.json');
writeFileSync(path, JSON.stringify(await configuration()));
// It refuses a rule or an option that it does not know.
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

/** The rules and global names of a file, as oxlint calls them. */
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
