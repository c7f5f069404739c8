import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** What a page that is open wants to hear of. */
export class EventParams {
  /** Ids of the items that it shows, with commas between. */
  @Text({ optional: true, matches: /^\d{1,15}(,\d{1,15}){0,99}$/ })
  moves = '';

  /** The newest item that it knows of. */
  @Id({ optional: true, min: 0 })
  newest: number | null = null;

  /** Up to when it waits for what has just been ordered. */
  @IsoTime({ optional: true })
  until: Date | null = null;
}

/** The ids. */
export const shownIds = ({ moves }: EventParams): number[] =>
  moves === '' ? [] : moves.split(',').map(Number);

/** The newest item that the page knows of; what is newer than none is not told. */
export const newestOf = ({ newest }: EventParams): number => newest ?? Number.MAX_SAFE_INTEGER;
