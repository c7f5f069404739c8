import { html, type Html } from '#kernel/html/html.js';
import type { MovePlan } from '#features/storage-moves/schedule/move-plans.queries.js';
import { field, select, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';
import type { BulkOrder } from './checked-entries.js';
import type { BulkForm, SingleForm } from './move-forms.js';
import {
  bytesText,
  countText,
  KIND_WORDS,
  KINDS_WORDS,
  repositoriesText,
  type MoveKind,
} from './move-texts.js';
import { MOVES_PATH } from './paths.js';

/** Parameters common to both forms. */
export interface FormSurroundings {
  readonly storages: readonly string[];
  /** Kinds that the tier allows to be moved. */
  readonly kinds: readonly MoveKind[];
  readonly errors: readonly FieldError[];
  readonly csrfToken: string;
}

const CHOOSE = ['', 'Choose a storage'] as const;
const BY_WEIGHT = ['', 'Chosen by weight'] as const;

const pairs = (names: readonly string[]): (readonly [string, string])[] => names.map((name) => [name, name]);

/** Renders the form that moves everything of a kind from one storage to another, with a dry run. */
export function bulkForm(values: BulkForm, { storages, kinds, errors, csrfToken }: FormSurroundings): Html {
  const choices = [CHOOSE, ...pairs(storages)];
  return html`<div class="card">
    <h2>Move everything on a storage</h2>
    ${form(
      { action: MOVES_PATH, csrfToken },
      select(
        { label: 'What to move', name: 'moved_kind', value: values.moved_kind, errors },
        kinds.map((kind) => [kind, `All ${KINDS_WORDS[kind]}`]),
      ),
      select(
        { label: 'From storage', name: 'source_storage_name', value: values.source_storage_name, errors },
        choices,
      ),
      select(
        {
          label: 'To storage',
          name: 'destination_storage_name',
          value: values.destination_storage_name,
          errors,
        },
        choices,
      ),
      html`<div class="actions">
        ${submit('Schedule moves')}${submit('Dry run', { look: 'secondary', name: 'dry_run', value: 'true' })}
      </div>`,
    )}
  </div>`;
}

/** Renders the form that moves one project, snippet or group wiki. */
export function singleForm(
  values: SingleForm,
  { storages, kinds, errors, csrfToken }: FormSurroundings,
): Html {
  const hasGroups = kinds.includes('group');
  return html`<div class="card">
    <h2>Move one</h2>
    ${form(
      { action: `${MOVES_PATH}/single`, csrfToken },
      select(
        { label: 'Kind', name: 'owner_kind', value: values.owner_kind, errors },
        kinds.map((kind) => [kind, KIND_WORDS[kind]]),
      ),
      field({
        label: 'ID or path',
        name: 'owner',
        value: values.owner,
        hint: `${hasGroups ? 'Projects and groups by either' : 'Projects by either'}, snippets by their ID.`,
        required: true,
        maxLength: 1000,
        autocomplete: 'off',
        errors,
      }),
      select({ label: 'To storage', name: 'owner_destination', value: values.owner_destination, errors }, [
        BY_WEIGHT,
        ...pairs(storages),
      ]),
      html`<div class="actions">${submit('Schedule move')}</div>`,
    )}
  </div>`;
}

/** Renders the result of a dry run. */
export function dryRunNotice(
  { kind, source, destination }: BulkOrder,
  { containers, repositories, bytes }: MovePlan,
): Html {
  const route = html`from <code>${source}</code> to <code>${destination}</code>`;
  const text =
    containers === 0
      ? html`There are no ${kind}s to move ${route}.`
      : html`${countText(containers, kind)} with ${repositoriesText(repositories)} would move ${route}:
        ${bytesText(bytes)}.`;
  return html`<div class="notice" role="status">
    <h2>Dry run</h2>
    <p>${text} Nothing has been scheduled.</p>
  </div>`;
}
