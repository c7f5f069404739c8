import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from './api.js';
import { addGroup, addProject } from './builders/instance.js';
import { buildBrowser } from './builders/session.js';
import type { PageClient } from './page-client.js';

/** The page of storage moves. */
export const MOVES_PAGE = '/admin/storage_moves';
export const HOSTILE = `<script>alert('1')</script>`;
export const ESCAPED = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;';

/** A service with the storages default, second and third, a group, and an administrator's browser. */
export interface MoveWorld {
  readonly api: TestApi;
  readonly admin: PageClient;
  readonly group: number;
  /** Adds a project to the group `workshop`; its name ends in a number. @returns its id */
  project(name?: string): Promise<number>;
  /** The text of a move on the page, without markup and hidden parts; null if it is not shown. */
  shown(moveId: number): Promise<string | null>;
  /** Runs `work` on the free plan. */
  onFreePlan(run: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Starts the service for one test file. */
export async function startMoveWorld(): Promise<MoveWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-move-page-'));
  const storages = ['default', 'second', 'third'].map((name) => `${name}=${folder}/${name}`);
  const api = await startApi({ REPOSITORY_STORAGES: storages.join(), LOG_LEVEL: 'silent' });
  const group = await addGroup(api, 'workshop');
  const admin = await buildBrowser(api, 1);
  const setPlan = (plan: string): Promise<unknown> =>
    api.sql('update application_settings set license_plan = $1', [plan]);
  let count = 0;
  return {
    api,
    admin,
    group,
    project: (name = 'tool') => addProject(api, group, `workshop/${name}-${(count += 1)}`),
    shown: async (moveId) => {
      const { text } = await admin.get(`${MOVES_PAGE}?per_page=100`);
      const item = new RegExp(`<li class="move" data-move="${moveId}"[\\s\\S]*?</li>`).exec(text)?.[0];
      const visible = item?.replace(/<(\w+)[^>]*\shidden[^>]*>[\s\S]*?<\/\1>/g, '');
      return visible === undefined ? null : textOf(visible);
    },
    onFreePlan: async (run) => {
      await setPlan('free');
      try {
        await run();
      } finally {
        await setPlan('ultimate');
      }
    },
    close: async () => {
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The text of a page without its markup, in one line. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
