import { expect } from '@jest/globals';
import type { ApiClient } from './client.js';

/** The attributes of an event of an issue, a merge request or an epic that tests read. */
export interface ShownResourceEvent {
  readonly id: number;
  readonly user: { readonly id: number } | null;
  readonly action?: string;
  readonly state?: string;
  readonly label?: { readonly name: string } | null;
  readonly milestone?: { readonly title: string } | null;
  readonly source_merge_request_id?: number | null;
}

/** All events of one kind on an object in short form: the action, and its target. */
export async function resourceEventsOf(
  client: ApiClient,
  path: string,
  kind: 'label' | 'milestone' | 'state',
): Promise<unknown[]> {
  const { status, body } = await client.get<ShownResourceEvent[]>(
    `${path}/resource_${kind}_events?per_page=100`,
  );
  expect([status, body]).toEqual([200, expect.any(Array)]);
  if (kind === 'state') return body.map(({ state }) => state);
  if (kind === 'label') return body.map(({ action, label }) => [action, label?.name ?? null]);
  return body.map(({ action, milestone, state }) => [action, milestone?.title ?? null, state]);
}
