/** Forty zeros: the value of a ref before its creation and after its removal. */
export const NO_OBJECT = '0'.repeat(40);

/** A change of a ref. */
export type RefChange = {
  /** The full name, such as `refs/heads/main`. */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
};

/** Returns the action in the terms of push payloads (`planning.md` 1.5). */
export function actionOf({ before, after }: RefChange): 'created' | 'removed' | 'pushed' {
  if (after === NO_OBJECT) return 'removed';
  return before === NO_OBJECT ? 'created' : 'pushed';
}

/** Returns the branch of the change, or null. */
export const branchOf = ({ ref }: RefChange): string | null =>
  ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;

/** Returns the tag of the change, or null. */
export const tagOf = ({ ref }: RefChange): string | null =>
  ref.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : null;
