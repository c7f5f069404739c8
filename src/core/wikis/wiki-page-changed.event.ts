import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import type { WikiFormat } from './pages/wiki-formats.js';

/** Actions on a page. */
export type WikiAction = 'created' | 'updated' | 'destroyed';

/** A page of a wiki was changed by a request or a push; listeners run in the transaction that records it. */
export class WikiPageChanged {
  constructor(
    /** The wiki of a project or group. */
    readonly wiki: RepositoryRef,
    readonly action: WikiAction,
    readonly slug: string,
    readonly title: string,
    /** Null if no known user did it. */
    readonly userId: number | null,
    /** The commit of the page; for a removed page, the last one that contained it. */
    readonly version: string,
    readonly format: WikiFormat,
  ) {}
}
