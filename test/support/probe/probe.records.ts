import {
  Anything,
  Count,
  Decimal,
  Flag,
  Id,
  Integer,
  IsoDate,
  IsoTime,
  OneOf,
  Text,
} from '#kernel/http/fields/scalar-fields.js';
import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';

/** A hash inside of parameters. */
export class ProbeHash {
  @Text({ maxLength: 20 })
  key!: string;

  @Integer({ optional: true, min: 0, max: 9 })
  digit?: number;
}

/** One parameter of every kind. */
export class ProbeParams {
  @Text({ optional: true, maxLength: 50 })
  text?: string;

  @Integer({ optional: true, min: -5, max: 1000 })
  number?: number;

  @Decimal({ optional: true })
  weight?: number;

  @Flag({ optional: true })
  flag?: boolean;

  @OneOf(['red', 'green'], { optional: true })
  color?: string;

  @IsoTime({ optional: true })
  moment?: Date;

  @IsoDate({ optional: true })
  day?: string;

  @List(Text(), { optional: true })
  names?: string[];

  @List(Id(), { optional: true, commaSeparated: true })
  ids?: number[];

  @Nested(() => ProbeHash, { optional: true })
  hash?: ProbeHash;

  @ListOf(() => ProbeHash, { optional: true })
  hashes?: ProbeHash[];

  @Count({ optional: true, nullable: true })
  maybe?: number | null;
}

/** Required parameters. */
export class ProbeRequired {
  @Text()
  name!: string;

  @Count()
  amount!: number;

  @Nested(() => ProbeHash, { optional: true })
  hash?: ProbeHash;

  @ListOf(() => ProbeHash, { optional: true })
  hashes?: ProbeHash[];
}

/** The received parameters. */
export class ProbeEcho {
  @Anything()
  given!: unknown;
}

/** Duration of a response, or number of rows of a list. */
export class ProbeAmount {
  @Count({ min: 0 })
  amount!: number;
}

/** One row of a list. */
export class ProbeRow {
  @Id()
  id!: number;

  @Text()
  name!: string;
}

/** The subject as resolved by the guards. */
export class ProbeSubject {
  @Id()
  id!: number;

  @Count()
  role!: number;
}
