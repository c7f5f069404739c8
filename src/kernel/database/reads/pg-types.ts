import pg from 'pg';

/** `bigint[]` has no name in pg's list of types. */
const INT8_ARRAY = 1016;

// bigint ids stay far below 2^53, and counts are bigint too: numbers everywhere. Dates without time stay text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(INT8_ARRAY as never, (text: string) =>
  text.length <= 2 ? [] : text.slice(1, -1).split(',').map(Number),
);
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
