import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** Parameters of an open page's event stream. */
export class EventParams {
  /** Comma-separated ids of the items shown. */
  @Text({ optional: true, matches: /^\d{1,15}(,\d{1,15}){0,99}$/ })
  moves = '';

  /** Id of the newest item that the page knows. */
  @Id({ optional: true, min: 0 })
  newest: number | null = null;

  /** How long to wait for what was just requested to start. */
  @IsoTime({ optional: true })
  until: Date | null = null;
}

/** Parses the ids. */
export const shownIds = ({ moves }: EventParams): number[] =>
  moves === '' ? [] : moves.split(',').map(Number);

/** Id of the newest item that the page knows. Without one, no newer items are reported. */
export const newestOf = ({ newest }: EventParams): number => newest ?? Number.MAX_SAFE_INTEGER;
