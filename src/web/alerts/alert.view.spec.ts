import { describe, expect, it } from '@jest/globals';
import type { AlertRecord } from '#features/alerts/alerts/alert.record.js';
import { alertView } from './alert.view.js';

const shown = (payload: unknown): string =>
  String(
    alertView({
      ...{ iid: 1, title: 'Down', description: null, severity: 'critical', status: 'triggered', events: 1 },
      ...{ service: null, monitoring_tool: null, hosts: [], environment: null, query: null, runbook: null },
      ...{ started_at: '2026-03-04T05:06:07.008Z', ended_at: null, assignees: [], issue_iid: null, payload },
    } as unknown as AlertRecord),
  );

describe('the payload of a tool', () => {
  it('is shown line by line, and unformatted if it is long', () => {
    expect(shown({ title: ['Down'] })).toContain('{\n  &quot;title&quot;: [\n    &quot;Down&quot;\n  ]\n}');
    const deep = Array.from({ length: 90 }).reduce<unknown>((inner) => [inner], Array(20_000).fill(1));
    const page = shown(deep);
    expect(page).toContain(`${'['.repeat(91)}1,1,1`);
    expect(page.length).toBeLessThan(25_000);
  });
});
