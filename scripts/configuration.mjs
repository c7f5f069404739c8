// npm run configuration: generates docs/configuration.md from the class of all variables. With `--check` it
// writes nothing and fails if the page is outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));
const TARGET = 'docs/configuration.md';
const SOURCES = {
  Config: 'src/kernel/config/config.ts',
  DatabaseConfig: 'src/kernel/config/database-config.ts',
  OperationConfig: 'src/kernel/config/operation-config.ts',
};

const HEAD = `# Configuration

<!-- Generated from ${new Intl.ListFormat('en').format(Object.values(SOURCES))} by npm run configuration. -->

A process is configured by environment variables only. Every variable may be given as \`NAME_FILE\`, the path of a file that holds the value. All problems are reported at once at start: an invalid
value ends the process with exit code 1, names the variable, the cause and the remedy, and changes nothing. Likely misspellings of these names (\`DATABASE_URI\`) are logged as warnings.
\`npm run cli -- config print\` shows the effective configuration, with secrets redacted.

| variable | default | meaning |
| --- | --- | --- |
`;

const rows = Object.entries(SOURCES)
  .flatMap(([name, source]) => membersOf(name, source))
  .filter((member) => ts.isPropertyDeclaration(member) && !meaningOf(member).includes('NODE_ENV=test alone'))
  .map((member) => `| \`${member.name.text}\` | ${defaultOf(member)} | ${meaningOf(member)} |\n`);
const page = formatted(HEAD + rows.join(''));
if (!process.argv.includes('--check')) writeFileSync(TARGET, page);
else if (readFileSync(TARGET, 'utf8') !== page) {
  console.error(`${TARGET} is outdated: run npm run configuration`);
  process.exitCode = 1;
}

function membersOf(name, source) {
  const file = ts.createSourceFile(source, readFileSync(source, 'utf8'), ts.ScriptTarget.Latest, true);
  return file.statements.find((node) => ts.isClassDeclaration(node) && node.name?.text === name).members;
}

function meaningOf(member) {
  const text = ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(member)[0]?.comment) ?? '';
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

function defaultOf({ initializer }) {
  if (!initializer) return 'none';
  const text = initializer.getText().replaceAll("'", '');
  const values = text.replace(/^resolve\((.*)\)$/, './$1').replace(/^\[(.*)\]$/, '$1');
  return values === '' ? 'none' : `\`${values}\``;
}

/** Formats the text, because the formatter checks all files. */
function formatted(text) {
  const { stdout } = spawnSync('node_modules/.bin/oxfmt', ['--stdin-filepath', TARGET], {
    input: text,
    encoding: 'utf8',
  });
  return stdout;
}
