import type { FieldError } from '../forms/form-fields.view.js';
import type { BulkForm, SingleForm } from './move-forms.js';
import type { MoveKind } from './move-texts.js';

/** The validated values of a form, or its errors. */
export type Checked<T> =
  | { readonly order: T; readonly errors?: never }
  | { readonly order?: never; readonly errors: readonly FieldError[] };

/** The storages and kinds available for a choice. */
export interface Choices {
  readonly storages: readonly string[];
  readonly kinds: readonly MoveKind[];
}

/** Request to move everything of a kind on a storage. */
export interface BulkOrder {
  readonly kind: MoveKind;
  readonly source: string;
  readonly destination: string;
}

/** Request to move a single owner; without a destination, one is chosen by weight. */
export interface SingleOrder {
  readonly kind: MoveKind;
  readonly owner: string;
  readonly destination: string | null;
}

const problem = (field: string, text: string): FieldError => ({ field, text });

const kindOf = (name: string, { kinds }: Choices): MoveKind | undefined =>
  kinds.find((kind) => kind === name);

/** Validates the form that moves everything on a storage. */
export function checkedBulk(form: BulkForm, choices: Choices): Checked<BulkOrder> {
  const { source_storage_name: source, destination_storage_name: destination } = form;
  const kind = kindOf(form.moved_kind, choices);
  const errors: FieldError[] = [];
  if (kind === undefined) errors.push(problem('moved_kind', 'Choose what to move'));
  if (!choices.storages.includes(source))
    errors.push(problem('source_storage_name', 'Choose the storage to move from'));
  if (!choices.storages.includes(destination))
    errors.push(problem('destination_storage_name', 'Choose the storage to move to'));
  else if (source === destination)
    errors.push(problem('destination_storage_name', 'Choose a storage other than the one to move from'));
  return kind === undefined || errors.length > 0 ? { errors } : { order: { kind, source, destination } };
}

/** Validates the form that moves one project, snippet or group. */
export function checkedSingle(form: SingleForm, choices: Choices): Checked<SingleOrder> {
  const { owner, owner_destination: destination } = form;
  const kind = kindOf(form.owner_kind, choices);
  const errors: FieldError[] = [];
  if (kind === undefined) errors.push(problem('owner_kind', 'Choose what to move'));
  if (owner === '') errors.push(problem('owner', 'Enter an ID or a path'));
  if (destination !== '' && !choices.storages.includes(destination))
    errors.push(problem('owner_destination', 'Choose a storage from the list'));
  return kind === undefined || errors.length > 0
    ? { errors }
    : { order: { kind, owner, destination: destination === '' ? null : destination } };
}
