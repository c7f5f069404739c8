import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const LIST = 'test/unit/wiring.txt';

/** A line of the list: the event, registry, port or job, and the class that handles it. */
interface Wire {
  readonly from: string;
  readonly to: string;
}

const FILES = readdirSync('src', { recursive: true })
  .map((name) => `src/${String(name)}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .sort()
  .map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}

const classesOf = (file: ts.SourceFile): ts.ClassDeclaration[] =>
  [...nodesOf(file)].filter((node) => ts.isClassDeclaration(node));

/** Types of the constructor parameters of a class, by the names of its fields. */
function fieldsOf(node: ts.ClassDeclaration): Map<string, string> {
  const given = node.members
    .filter((member) => ts.isConstructorDeclaration(member))
    .flatMap(({ parameters }) => [...parameters]);
  return new Map(given.map(({ name, type }) => [name.getText(), type?.getText() ?? '']));
}

/** Registrations of a class when its module starts: `this.<registry>.<method>(<what>, ...)`. */
function registrationsOf(node: ts.ClassDeclaration): Wire[] {
  const fields = fieldsOf(node);
  const start = node.members.find((member) => member.name?.getText() === 'onModuleInit');
  return [...(start ? nodesOf(start) : [])].filter(ts.isCallExpression).flatMap((call) => {
    const [, field = '', method = ''] = /^this\.(\w+)\.(\w+)$/.exec(call.expression.getText()) ?? [];
    const registry = fields.get(field);
    if (registry === undefined || !isRegistering(method)) return [];
    const what = call.arguments[0]?.getText() ?? '';
    const of = /^[A-Z]\w+$/.test(what) || /^'[^']+'$/.test(what) ? ` ${what}` : '';
    return [
      { from: `${registry}.${method}${of}`, to: `${node.name?.text} (${node.getSourceFile().fileName})` },
    ];
  });
}

const isRegistering = (method: string): boolean => /^(on|register)$/.test(method);

/** Ports and their providers, all bound in one file: `bind(<port>, <provider>)`. */
const PORTS = 'src/ports.module.ts';
const bound = FILES.filter(({ fileName }) => fileName === PORTS)
  .flatMap((file) => [...nodesOf(file)])
  .filter(ts.isCallExpression)
  .filter(({ expression }) => expression.getText() === 'bind')
  .map(({ arguments: [port, provider] }) => ({
    from: port?.getText() ?? '',
    to: `${provider?.getText()} (${fileOf(provider?.getText())})`,
  }));

function fileOf(name: string | undefined): string {
  const holds = (file: ts.SourceFile): boolean => classesOf(file).some((one) => one.name?.text === name);
  return FILES.find(holds)?.fileName ?? 'nowhere';
}

/** The processor of a job, by the name of the job's constant. */
function jobsOf(node: ts.ClassDeclaration): Wire[] {
  const job = node.members.find(
    (member) => ts.isPropertyDeclaration(member) && member.name.getText() === 'job',
  );
  if (!job || !ts.isPropertyDeclaration(job) || !job.initializer) return [];
  return [{ from: job.initializer.getText(), to: node.name?.text ?? '' }];
}

/** The definitions of jobs: their name, queue, attempts and schedule (cron). */
const DEFINITIONS = new Map(
  FILES.flatMap((file) => [...nodesOf(file)])
    .filter((node) => ts.isVariableDeclaration(node))
    .filter(({ initializer }) => /^define\w*Job\b/.test(initializer?.getText() ?? ''))
    .map((node) => [node.name.getText(), said(node)]),
);

function said({ initializer }: ts.VariableDeclaration): string {
  const text = initializer?.getText() ?? '';
  return ['name', 'queue', 'attempts', 'cron']
    .map((field) => [field, new RegExp(`\\b${field}: ('[^']*'|\\d+)`).exec(text)?.[1]])
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field} ${value}`)
    .join(', ');
}

const lines = (wires: readonly Wire[]): string[] => wires.map(({ from, to }) => `${from} -> ${to}`).sort();

describe('the wiring of modules', () => {
  const classes = FILES.flatMap(classesOf);
  const registrations = classes.flatMap(registrationsOf);
  const isEvent = ({ from }: Wire): boolean => from.startsWith('DomainEvents.on');
  const events = registrations
    .filter(isEvent)
    .map(({ from, to }) => ({ from: from.replace('DomainEvents.on ', ''), to }));
  const jobs = classes.flatMap(jobsOf);

  it('has one processor for each job', () => {
    expect(jobs.map(({ from }) => from).sort()).toEqual([...DEFINITIONS.keys()].sort());
  });

  it('binds each port once', () => {
    const ports = classes.filter((one) => one.getSourceFile().fileName.endsWith('.port.ts'));
    expect(bound.map(({ from }) => from).sort()).toEqual(ports.map(({ name }) => name?.text).sort());
  });

  it('has one verb for registries, each with several registrations', () => {
    const registries = classes.filter((one) => one.getSourceFile().fileName.endsWith('.registry.ts'));
    const verbs = registries
      .flatMap(({ members }) => members.map(({ name }) => name?.getText() ?? ''))
      .filter((name) => name.startsWith('register'));
    expect(new Set(verbs)).toEqual(new Set(['register']));
    const used = registrations.map(({ from }) => from.split('.')[0] ?? '');
    const lonely = used.filter(
      (name) => name.endsWith('Registry') && used.indexOf(name) === used.lastIndexOf(name),
    );
    expect(lonely).toEqual([]);
  });

  it('equals wiring.txt, which UPDATE_WIRING=1 updates', () => {
    const text = [
      ['# Events and who listens to them', ...lines(events)],
      ['# Registries and who registers with them', ...lines(registrations.filter((wire) => !isEvent(wire)))],
      ['# Ports and what is bound to them', ...lines(bound)],
      [
        '# Jobs and what runs them',
        ...lines(jobs.map(({ from, to }) => ({ from: `${from} (${DEFINITIONS.get(from) ?? ''})`, to }))),
      ],
    ]
      .map((section) => `${section.join('\n')}\n`)
      .join('\n');
    if (process.env['UPDATE_WIRING'] === '1') writeFileSync(LIST, text);
    expect(text).toBe(readFileSync(LIST, 'utf8'));
  });
});
