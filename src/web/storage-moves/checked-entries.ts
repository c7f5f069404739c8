import type { FieldError } from '../forms/form-fields.view.js';
import type { BulkForm, SingleForm } from './move-forms.js';
import type { MoveKind } from './move-words.js';

/** What a form asks for once it is in order, or what is wrong with it. */
export type Checked<T> =
  | { readonly order: T; readonly errors?: never }
  | { readonly order?: never; readonly errors: readonly FieldError[] };

/** What the storages and the plan allow. */
export interface Choices {
  readonly storages: readonly string[];
  readonly kinds: readonly MoveKind[];
}

/** Moves of everything of a kind on a storage. */
export interface BulkOrder {
  readonly kind: MoveKind;
  readonly source: string;
  readonly destination: string;
}

/** A move of what a text names; without a destination, the weights choose one. */
export interface SingleOrder {
  readonly kind: MoveKind;
  readonly owner: string;
  readonly destination: string | null;
}

const problem = (field: string, text: string): FieldError => ({ field, text });

const kindOf = (name: string, { kinds }: Choices): MoveKind | undefined =>
  kinds.find((kind) => kind === name);

/** Reads the form for everything on a storage. */
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
    errors.push(problem('destination_storage_name', 'Choose another storage than the one to move from'));
  return kind === undefined || errors.length > 0 ? { errors } : { order: { kind, source, destination } };
}

/** Reads the form for one project, snippet or group. */
export function checkedSingle(form: SingleForm, choices: Choices): Checked<SingleOrder> {
  const { owner, owner_destination: destination } = form;
  const kind = kindOf(form.owner_kind, choices);
  const errors: FieldError[] = [];
  if (kind === undefined) errors.push(problem('owner_kind', 'Choose what to move'));
  if (owner === '') errors.push(problem('owner', 'Enter an ID or a path'));
  if (destination !== '' && !choices.storages.includes(destination))
    errors.push(problem('owner_destination', 'Choose a storage of the list'));
  return kind === undefined || errors.length > 0
    ? { errors }
    : { order: { kind, owner, destination: destination === '' ? null : destination } };
}
