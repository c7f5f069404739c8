import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { startProcessMetrics } from '#kernel/log/metrics.js';
import { startApi, type TestApi } from '../../support/api.js';

const read = (file: string): string => readFileSync(`docker/monitoring/${file}`, 'utf8');

/** Names of metrics in an expression: the rest without selectors, groups, functions, numbers and keywords. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|on) \([^)]*\)/g, ' ')
    .replace(/\b\w+ *(?=\()|\b\d[\d.]*\b/g, ' ');
  const words = (bare.match(/[a-z]\w*/g) ?? []).filter(
    (word) => !['sum', 'min', 'max', 'unless', 'up', 'and'].includes(word),
  );
  return words.map((word) => word.replace(/_bucket$/, ''));
}

describe('the rules and the dashboard', () => {
  let api: TestApi;
  let names: Set<string>;
  beforeAll(async () => {
    startProcessMetrics();
    api = await startApi();
    const text = await (await fetch(`${api.url}/-/metrics`)).text();
    names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''));
  });
  afterAll(() => api.close());

  it('name existing metrics', () => {
    const rules = [...read('forgeplane.rules.yml').matchAll(/^ +expr: (.+)$/gm)].map(
      ([, text]) => text ?? '',
    );
    const panels = [...read('grafana-dashboard.json').matchAll(/"expr": "(.+)"/g)].map(
      ([, text]) => text ?? '',
    );
    expect([rules.length > 10, panels.length > 10]).toEqual([true, true]);
    const named = new Set([...rules, ...panels].flatMap(metricsIn));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !names.has(name))).toEqual([]);
  });

  it('have an entry in the runbook for each alert', () => {
    const alerts = [...read('forgeplane.rules.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name ?? '');
    const runbook = readFileSync('docs/operate.md', 'utf8');
    expect(alerts.filter((name) => !runbook.includes(`| \`${name}\``))).toEqual([]);
  });
});
