import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import type { WikiFormat } from './pages/wiki-formats.js';

/** What happened to a page. */
export type WikiAction = 'created' | 'updated' | 'destroyed';

/** A page of a wiki has been changed, by a request or by a push; listeners run in the transaction that takes note of it. */
export class WikiPageChanged {
  constructor(
    /** The wiki of a project or group. */
    readonly wiki: RepositoryRef,
    readonly action: WikiAction,
    readonly slug: string,
    readonly title: string,
    /** Null when nobody who is known any more did it. */
    readonly userId: number | null,
    /** The commit that the page is of now; for a destroyed one, the last that had it. */
    readonly version: string,
    readonly format: WikiFormat,
  ) {}
}
