/** Forty zeros: what a ref had before it was made, and has after it was removed. */
export const NO_OBJECT = '0'.repeat(40);

/** One ref that is to be changed, or has been. */
export type RefChange = {
  /** The full name, as `refs/heads/main`. */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
};

/** Whether the change makes a ref, removes it or moves it, in the words of push payloads (`planning.md` 1.5). */
export function actionOf({ before, after }: RefChange): 'created' | 'removed' | 'pushed' {
  if (after === NO_OBJECT) return 'removed';
  return before === NO_OBJECT ? 'created' : 'pushed';
}

/** The branch that the change is about, or null. */
export const branchOf = ({ ref }: RefChange): string | null =>
  ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;

/** The tag that the change is about, or null. */
export const tagOf = ({ ref }: RefChange): string | null =>
  ref.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : null;
