import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min, ValidateBy } from 'class-validator';
import { isNetwork } from '#kernel/http/client-address.js';
import { redisAddressProblem } from '#kernel/redis/redis-address.js';

/** Returns the items of a comma-separated list. */
export const lines = (value: unknown): string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : [];

const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  false: false,
  0: false,
  no: false,
};

/** Keeps values that are not booleans, so that the validation rejects them. */
const flag = (value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(FLAGS, value) ? FLAGS[value] : value;

/** Converts to a number; the validation rejects NaN. */
export const Numeric = (): PropertyDecorator =>
  Transform(({ value }) => (value === undefined ? undefined : Number(value)));
type OfProperty<All> = (target: All, name: string) => void;
/** Validates a number against other variables. */
export const Fits = <All extends object>(
  fits: (value: number, all: All) => boolean,
  message: string,
): OfProperty<All> => agreeing<All>((value, all) => fits(Number(value), all), message);
/** Validates a text against other variables. */
export const Agrees = <All extends object>(
  agrees: (value: string | undefined, all: All) => boolean,
  message: string,
): OfProperty<All> => agreeing<All>((value, all) => agrees(value as string | undefined, all), message);
function agreeing<All extends object>(
  agrees: (value: unknown, all: All) => boolean,
  message: string,
): OfProperty<All> {
  return ValidateBy(
    {
      name: `agrees: ${message}`,
      validator: { validate: (value, args) => args !== undefined && agrees(value, args.object as All) },
    },
    { message },
  );
}
/** Validates an integer in a range. */
export const Whole = (min: number, max: number): PropertyDecorator =>
  applyDecorators(Numeric(), IsInt(), Min(min), Max(max));
/** Validates that each entry is an address or a CIDR range. */
export const Networks = (): PropertyDecorator =>
  ValidateBy(
    { name: 'networks', validator: { validate: isNetwork } },
    { each: true, message: 'must list addresses or CIDR ranges' },
  );
/** Validates that a URL can be parsed. */
export const ReadableUrl = (message: string): PropertyDecorator =>
  ValidateBy(
    {
      name: 'readableUrl',
      validator: { validate: (value) => typeof value === 'string' && URL.canParse(value) },
    },
    { message },
  );
/** Whether no storage of `name=path,name=path` is named twice: of two folders one would be forgotten. */
export const hasNamesOnce = (text: string | undefined): boolean => {
  const names = (text ?? '').split(',').map((pair) => pair.split('=', 1)[0]);
  return new Set(names).size === names.length;
};
/** Whether an object store names no endpoint, or one that the client of S3 accepts: a refused one looks like an unreachable store. */
export const hasUsableEndpoint = (text: string | undefined): boolean => {
  const endpoint = text !== undefined && URL.canParse(text) && new URL(text).searchParams.get('endpoint');
  return !endpoint || (/^https?:\/\//i.test(endpoint) && URL.canParse(endpoint));
};
/** The address of something that keeps no backups, which would become the name of a folder. */
const OTHER_URL = /^(?!s3:\/\/[^/?#]|file:\/\/\/)[a-z][a-z0-9+.-]+:\//i;
/** Whether a text names a folder, or a bucket, as a target of backups. */
export const isBackupTarget = (text: string): boolean => !OTHER_URL.test(text);
/** The address of Redis, or of Sentinels that know its master. */
export const RedisAddress = (): PropertyDecorator =>
  ValidateBy(
    { name: 'redisAddress', validator: { validate: (value) => redisAddressProblem(value) === null } },
    { message: ({ value }) => redisAddressProblem(value) ?? '' },
  );
/** Converts the spellings of booleans. */
export const Flag = (): PropertyDecorator => Transform(({ value }) => flag(value));
