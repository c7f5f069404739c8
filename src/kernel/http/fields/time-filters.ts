import { IsoTime } from './scalar-fields.js';

/** An optional filter of a list for what is at or after a time. */
export const AtOrAfter = (): PropertyDecorator => IsoTime({ optional: true, description: 'At or after' });

/** An optional filter of a list for what is at or before a time. */
export const AtOrBefore = (): PropertyDecorator => IsoTime({ optional: true, description: 'At or before' });
