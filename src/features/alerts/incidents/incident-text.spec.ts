import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mentionedNames } from '#core/notes/participants/mentioned-names.js';
import { taskCounts } from '#core/notes/markdown/task-counts.js';
import { incidentText, type IncidentAlert } from './incident-text.js';
import { codeBlock, codeSpan, cut } from './markdown-code.js';

const PLAIN: IncidentAlert = {
  iid: 7,
  project_id: 3,
  title: 'Down',
  description: null,
  service: null,
  monitoring_tool: null,
  hosts: [],
  severity: 'critical',
  started_at: new Date('2026-03-04T05:06:07Z'),
  runbook: null,
  query: null,
  environment: null,
  incident_markdown: null,
  payload: {},
};

/** Texts that try to break out of code, with backticks, tildes and line ends followed by mentions. */
const hostile = fc
  .array(
    fc.constantFrom(
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\r\n',
      '\u2028',
      ' ',
      '    ',
      '@all',
      ' @root ',
      '<!--',
      '-->',
      '<',
      '>',
      '\\',
      '- [ ] ',
      '#',
      'x',
      '\u0001',
      '😀',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

const nested = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    hostile,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(
    fc.oneof(hostile, fc.constantFrom('__proto__', 'constructor', 'alerts')),
    tie('value'),
    { maxKeys: 4 },
  ),
})).object;

const alerts = fc.record({
  description: fc.option(hostile),
  service: fc.option(hostile),
  monitoring_tool: fc.option(hostile),
  hosts: fc.array(hostile, { maxLength: 3 }),
  runbook: fc.option(
    fc.oneof(
      hostile,
      hostile.map((text) => `https://runbooks.test/${text}`),
    ),
  ),
  query: fc.option(hostile),
  environment: fc.option(hostile),
  payload: nested,
});

describe('the text of an incident', () => {
  it('shows all values of an alert as code', () => {
    fc.assert(
      fc.property(alerts, (values) => {
        const text = incidentText({ ...PLAIN, ...values }, 'https://forge.test');
        const { names, all } = mentionedNames(text);
        expect([[...names], all]).toEqual([[], false]);
        expect(taskCounts(text).count).toBe(0);
        // The Markdown that follows must be outside of all code, whatever precedes it.
        const called = incidentText(
          { ...PLAIN, ...values, incident_markdown: 'Ask @desk' },
          'https://forge.test',
        );
        expect([...mentionedNames(called).names]).toEqual(['desk']);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has a limited size, whatever is sent', () => {
    const payload = Object.fromEntries(
      Array.from({ length: 1000 }, (_, key) => [`key${key}`, 'v'.repeat(2_000)]),
    );
    const text = incidentText(
      { ...PLAIN, description: 'd'.repeat(1_000_000), payload },
      'https://forge.test',
    );
    expect(text.length).toBeLessThan(50_000);
    expect(text.split('\n- `key')).toHaveLength(51);
    expect(text.endsWith('\n- …')).toBe(true);
  });

  it('links the runbook if its URL is on the web', () => {
    const line = (runbook: string): string | undefined =>
      incidentText({ ...PLAIN, runbook }, 'https://forge.test')
        .split('\n')
        .find((one) => one.startsWith('- **Runbook'));
    expect(line('https://runbooks.test/a?b=c')).toBe('- **Runbook:** <https://runbooks.test/a?b=c>');
    expect(line('javascript:alert(1)')).toBe('- **Runbook:** `javascript:alert(1)`');
    expect(line('see the wiki')).toBe('- **Runbook:** `see the wiki`');
  });
});

describe('code in Markdown', () => {
  it('is fenced by more backticks than it contains', () => {
    expect(codeSpan('a')).toBe('`a`');
    expect(codeSpan('a `b` ``c')).toBe('```a `b` ``c```');
    expect(codeSpan('`')).toBe('`` ` ``');
    expect(codeSpan(' \n ')).toBe('');
    expect(codeBlock('a\n```\nb')).toBe('````\na\n```\nb\n````');
  });

  it('is cut between characters', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abcd', 3)).toBe('ab…');
    expect(cut('a😀b', 3)).toBe('a…');
  });
});
