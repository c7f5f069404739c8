import { describe } from '@jest/globals';
import axe from 'axe-core';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Debian's names first, then those on other systems. The shell has no windows and needs half the CPU. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) =>
    existsSync(file),
  );
}

const executablePath = findChromium();

/** `describe` where the machine has a Chromium; otherwise its tests are loudly reported as skipped. */
export const describeWithBrowser = executablePath === undefined ? describe.skip : describe;
if (executablePath === undefined) {
  console.warn('There is no chromium on the PATH: the tests of pages in a browser are SKIPPED.');
}

/** Starts a headless browser; `--no-sandbox` because CI runs as root. */
export function startBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no chromium on the PATH');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}

/** A separate window of a visitor, with its own cookies, size and preferences. */
export function openWindow(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1200, height: 900 }, locale: 'en-GB', ...options });
}

/** Violations found by axe on the current page, by the rules of WCAG 2.2 A and AA and its best practices. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // The policy of the page allows no foreign script; evaluation by the debugger is not bound by it.
  await page.evaluate(axe.source);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const violations = await page.evaluate(async (values) => {
    const engine = (
      globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Finding[] }> } }
    ).axe;
    interface Finding {
      id: string;
      help: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    return (
      await engine.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] })
    ).violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
    }));
  }, tags);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.join(' | ')}`);
}
