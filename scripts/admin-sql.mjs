// Rejects SQL that treats a user as an administrator because of the column in `users`. In admin mode most
// credentials of administrators do not grant admin rights, so the caller's status (`actor.admin`) is a
// parameter, and code that has only an id uses `isAdminSql`.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

/** Files that read the column of an account, with the reason. */
const ALLOWED = new Map([
  ['src/core/users/admin.sql.ts', 'the one answer where nothing but an id is known'],
  ['src/core/users/lists/users.queries.ts', 'records of users show it'],
  ['src/core/users/lists/user-filters.ts', 'lists of users are filtered by it'],
  ['src/core/users/changes/user-uniqueness.service.ts', 'one administrator must remain'],
  ['src/core/tokens/token-owner.ts', 'which scopes a token of somebody may have'],
  ['src/features/oauth/authorization/authorizing-user.queries.ts', 'the same for applications'],
  ['src/cli/doctor/doctor-checks.ts', 'one administrator must remain'],
]);

/** Aliases of the caller's row, made from parameters. */
const CALLERS = new Set(['me']);

const isText = (node) =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);

/** Whether a text reads the column, ignoring what is between its parts. */
function readsAdmin(text) {
  if ([...text.matchAll(/(\w+|\? )\.admin\b/g)].some(([, alias]) => !CALLERS.has(alias))) return true;
  const isOfUsers = /\b(?:from|join|update)\s+users\b/i.test(text);
  return isOfUsers && /(?<![.\w'])admin\b(?!['\w])/.test(text) && !/\bas admin\b/.test(text);
}

function findingsIn(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const found = [];
  const visit = (node) => {
    if (isText(node)) {
      const pieces = ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
        : [node.text];
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      if (readsAdmin(pieces.join(' ? '))) found.push(`${path}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const files = readdirSync('src', { recursive: true })
  .map((name) => `src/${name}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'));
const findings = [];
const needless = new Set(ALLOWED.keys());
for (const path of files) {
  const source = readFileSync(path, 'utf8');
  const found = source.includes('admin') ? findingsIn(path, source) : [];
  if (found.length > 0 && !needless.delete(path)) findings.push(...found);
}
for (const place of findings)
  console.error(
    `${place}: SQL reads from the table who is an administrator; see src/core/users/admin.sql.ts`,
  );
for (const path of needless) console.error(`${path}: needs no exception in scripts/admin-sql.mjs`);
process.exitCode = findings.length + needless.size > 0 ? 1 : 0;
