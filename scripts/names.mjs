// Checks names against the legend of docs/architecture.md: a suffix tells the kind of a file, and its class
// is named after stem and suffix. Folders contain at most 15 files, including specs.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

/**
 * Suffixes of files with one class named after the file: `delete-project.processor` contains
 * `DeleteProjectProcessor`.
 */
const NAMED_BY_FILE = [
  'module',
  'controller',
  'service',
  'queries',
  'processor',
  'listener',
  'audit',
  'port',
  'importer',
  'exporter',
  'exchange',
  'guard',
  'grant',
  'strategy',
];

/**
 * Suffixes of files that may contain only functions; a class is named as above, and a use case by its verb
 * and noun: `create-issue.use-case` contains `CreateIssue`.
 */
const NAMED_IF_CLASS = [
  'finder',
  'registry',
  'contribution',
  'step',
  'policy',
  'presenter',
  'limit',
  'use-case',
];

/** The other suffixes of the legend; any other is refused. */
const OTHERS = [
  'access',
  'controller-factory',
  'controllers',
  'entity',
  'event',
  'field',
  'filter',
  'interceptor',
  'job',
  'mail',
  'params',
  'record',
  'row',
  'rules',
  'services',
  'sql',
  'task',
  'view',
];
const KNOWN = new Set([...NAMED_BY_FILE, ...NAMED_IF_CLASS, ...OTHERS]);

/** Paths where a file is named after its class: libraries, commands, and entry points. */
const PLAIN = /^src\/(?:kernel\/|cli\/|[^/]+$)/;

const MAX_FILES = 15;

const PARAMS = /(Params|Path|Form|Fields|Filters)$/;

/** Parameters that are also the record of the response: one class serves both purposes. */
const RECORDS_TOO = new Set(['GroupMailEvents', 'ProjectMailEvents']);

const pascal = (text) =>
  text.replaceAll(/(?:^|[-.])(\w)/g, (_, letter) => letter.toUpperCase()).replace('Openapi', 'OpenApi');

function* findingsIn(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const [, stem, suffix] = /([^/]+?)(?:\.([a-z-]+))?\.ts$/.exec(path);
  const classes = file.statements.filter((node) => ts.isClassDeclaration(node) && isExported(node));
  const isInjectable = classes.some((node) => ts.getDecorators(node)?.length > 0);
  if (NAMED_BY_FILE.includes(suffix) || (NAMED_IF_CLASS.includes(suffix) && isInjectable)) {
    const wanted = pascal(suffix === 'use-case' ? stem : `${stem}.${suffix}`);
    if (!classes.some((node) => node.name?.text === wanted))
      yield `${path}: exports no ${wanted}, but ${classes.map((node) => node.name?.text).join(', ')}`;
  }
  if (suffix && !KNOWN.has(suffix)) yield `${path}: the legend knows no .${suffix}`;
  if (suffix === 'registry' && !/^ {2}register[(<]/m.test(file.text))
    yield `${path}: a registry has a method register`;
  if (!suffix && isInjectable && !PLAIN.test(path))
    yield `${path}: an injectable class says its kind in the name of its file`;
  if (suffix === 'port' && !classes.some(isAbstract)) yield `${path}: a port is an abstract class`;
  if (suffix === 'job')
    for (const name of jobsOf(file)) if (!name.endsWith('Job')) yield `${path}: ${name} should end in Job`;
  for (const name of boundIn(file))
    if (!PARAMS.test(name) && !RECORDS_TOO.has(name))
      yield `${path}: ${name} is bound as parameters and should end in Params`;
}

const isExported = (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;

const isAbstract = (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;

const jobsOf = (file) =>
  file.statements
    .filter(ts.isVariableStatement)
    .flatMap((node) => [...node.declarationList.declarations])
    .filter(({ initializer }) => initializer && /^define\w*Job\b/.test(initializer.getText(file)))
    .map(({ name }) => name.getText(file));

/** Classes to which parameters of a route are bound. */
function boundIn(file) {
  const names = new Set();
  const visit = (node) => {
    const isBound =
      ts.isParameter(node) &&
      (ts.getDecorators(node) ?? []).some((one) => /^@Params\b/.test(one.getText(file)));
    if (isBound && node.type && ts.isTypeReferenceNode(node.type))
      names.add(node.type.typeName.getText(file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Folders with too many files to take in at a glance. */
function* crowded(all) {
  const counts = new Map();
  for (const folder of all.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  for (const [folder, count] of counts)
    if (count > MAX_FILES) yield `${folder}: ${count} files, of ${MAX_FILES} at most: give some a room`;
}

const sourcesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith('.ts'));

const paths = sourcesIn('src');
const named = paths.filter((path) => !path.endsWith('.spec.ts') && !path.endsWith('.d.ts'));
const findings = [
  ...named.flatMap((path) => [...findingsIn(path)]),
  ...crowded([...paths, ...sourcesIn('test/api')]),
];
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
