// npm run configuration: writes docs/configuration.md out of the class of all variables. With `--check` it writes nothing and fails when the
// page is not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));
const TARGET = 'docs/configuration.md';
const SOURCE = 'src/kernel/config/config.ts';

const HEAD = `# Configuration

<!-- Generated from ${SOURCE} by npm run configuration. -->

A process is configured by environment variables only. Every variable may be given as \`NAME_FILE\`, the path of a file that holds the value. All problems are listed at once at start: a wrong
value ends the process with exit code 1, names the variable, the cause and the remedy, and changes nothing. Names that nearly are one of these (\`DATABASE_URI\`) are warned of.
\`npm run cli -- config print\` shows the configuration in force, secrets redacted.

| variable | default | meaning |
| --- | --- | --- |
`;

const file = ts.createSourceFile(SOURCE, readFileSync(SOURCE, 'utf8'), ts.ScriptTarget.Latest, true);
const config = file.statements.find((node) => ts.isClassDeclaration(node) && node.name?.text === 'Config');
const rows = config.members
  .filter((member) => ts.isPropertyDeclaration(member) && !meaningOf(member).includes('NODE_ENV=test alone'))
  .map((member) => `| \`${member.name.text}\` | ${defaultOf(member)} | ${meaningOf(member)} |\n`);
const page = formatted(HEAD + rows.join(''));
if (!process.argv.includes('--check')) writeFileSync(TARGET, page);
else if (readFileSync(TARGET, 'utf8') !== page) {
  console.error(`${TARGET} is not current: npm run configuration`);
  process.exitCode = 1;
}

function meaningOf(member) {
  const text = ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(member)[0]?.comment) ?? '';
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

function defaultOf({ initializer }) {
  if (!initializer) return 'none';
  const text = initializer.getText(file).replaceAll("'", '');
  const values = text.replace(/^resolve\((.*)\)$/, './$1').replace(/^\[(.*)\]$/, '$1');
  return values === '' ? 'none' : `\`${values}\``;
}

/** As the formatter wants it, which looks at all files. */
function formatted(text) {
  const { stdout } = spawnSync('node_modules/.bin/oxfmt', ['--stdin-filepath', TARGET], {
    input: text,
    encoding: 'utf8',
  });
  return stdout;
}
