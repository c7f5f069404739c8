import { html, type Html } from '#kernel/html/html.js';
import { dataTable } from '../layout/data-table.view.js';
import { bytesText } from './move-texts.js';

/** Contents of a storage. */
export interface StorageSummary {
  readonly name: string;
  /**
   * Whether this process has a folder for it. If not, rows refer to an unknown storage, which is an error.
   */
  readonly isConfigured: boolean;
  readonly projects: number;
  readonly snippets: number;
  readonly groupWikis: number;
  readonly bytes: number;
}

/** Renders the storages with the contents of each. */
export function storageTable(storages: readonly StorageSummary[]): Html {
  const number = (count: number): string => count.toLocaleString('en');
  const cells = storages.map(({ name, isConfigured, projects, snippets, groupWikis, bytes }) => [
    html`<code>${name}</code>${!isConfigured && html` <span class="badge bad">Not configured</span>`}`,
    number(projects),
    number(snippets),
    number(groupWikis),
    html`<span class="whole">${bytesText(bytes)}</span>`,
  ]);
  return dataTable('Storages', ['Name', 'Projects', 'Snippets', 'Group wikis', 'Size'], cells);
}
