import { SetMetadata } from '@nestjs/common';

/** Answers by status, each with the reason for it. */
export type Refusals = Readonly<Record<number, string>>;

const REFUSALS = 'forgeplane:refusals';

/** Answers without success that come of what a route does; those of its rule and its parameters are known without. */
export const Refuses = (refusals: Refusals): MethodDecorator => SetMetadata(REFUSALS, refusals);

/** Failures that a handler declares with `@Refuses`. */
export const refusalsOf = (handler: object): Refusals =>
  (Reflect.getMetadata(REFUSALS, handler) as Refusals | undefined) ?? {};
