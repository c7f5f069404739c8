import { invalid } from '#kernel/http/errors.js';
import { pathProblem } from '#core/instance/paths.js';
import type { NewUserParams, UserUpdateParams } from './users.params.js';

type Attributes = Partial<NewUserParams & UserUpdateParams>;
type Problems = Record<string, string[]>;

/** Limits of characters of profile texts. */
const LENGTHS = {
  name: 255,
  email: 254,
  bio: 255,
  location: 255,
  public_email: 254,
  commit_email: 254,
  skype: 500,
  linkedin: 500,
  twitter: 500,
  website_url: 500,
  organization: 500,
  job_title: 200,
  pronouns: 50,
  note: 4096,
  extern_uid: 255,
  provider: 255,
} as const;

const EMAIL = /^[^@\s\p{Cc}<>()[\],;:"\\]+@[^@\s\p{Cc}<>()[\],;:"\\]+$/u;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;
/** Maximum of the column. */
const MAX_LIMIT = 2_147_483_647;

/** Returns the problem of an email address, or null. */
export function emailProblem(email: string): string | null {
  if (!EMAIL.test(email)) return 'is invalid';
  return email.length > LENGTHS.email ? `is too long (maximum is ${LENGTHS.email} characters)` : null;
}

/** Returns the problem of a password, or null. */
export function passwordProblem(password: string): string | null {
  if (password === '') return "can't be blank";
  const length = Array.from(password).length;
  if (length < MIN_PASSWORD) return `is too short (minimum is ${MIN_PASSWORD} characters)`;
  return length > MAX_PASSWORD ? `is too long (maximum is ${MAX_PASSWORD} characters)` : null;
}

/**
 * Asserts that the attributes of a user are valid; `ownEmails`: addresses that may be public or used for
 * commits. @throws 400
 */
export function assertUserRules(attributes: Attributes, ownEmails: readonly string[]): void {
  const problems: Problems = {};
  const add = (name: string, text: string | null): void => {
    if (text !== null) (problems[name] ??= []).push(text);
  };
  checkLengths(attributes, add);
  const { email, username, password, discord } = attributes;
  if (email !== undefined && !EMAIL.test(email)) add('email', 'is invalid');
  if (username !== undefined) add('username', pathProblem(username, true));
  if (password !== undefined) add('password', passwordProblem(password));
  if (discord !== undefined && !/^(\d{17,20})?$/.test(discord))
    add('discord', 'must contain only a discord user ID.');
  for (const name of ['public_email', 'commit_email'] as const)
    if (!isOwn(attributes[name], ownEmails)) add(name, 'is not an email you own');
  add('website_url', urlProblem(attributes.website_url));
  checkNumbers(attributes, add);
  checkIdentity(attributes, add);
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

function checkLengths(attributes: Attributes, add: (name: string, text: string) => void): void {
  for (const [name, maximum] of Object.entries(LENGTHS)) {
    const value = attributes[name as keyof typeof LENGTHS];
    if (typeof value === 'string' && value.length > maximum)
      add(name, `is too long (maximum is ${maximum} characters)`);
  }
}

function checkNumbers(attributes: Attributes, add: (name: string, text: string) => void): void {
  const { projects_limit: limit, theme_id: theme, color_scheme_id: colors } = attributes;
  if (limit !== undefined && limit < 0) add('projects_limit', 'must be greater than or equal to 0');
  if (limit !== undefined && limit > MAX_LIMIT)
    add('projects_limit', `must be less than or equal to ${MAX_LIMIT}`);
  if (theme !== undefined && (theme < 1 || theme > 11)) add('theme_id', 'is not included in the list');
  if (colors !== undefined && (colors < 1 || colors > 6))
    add('color_scheme_id', 'is not included in the list');
}

function checkIdentity(
  { extern_uid: uid, provider }: Attributes,
  add: (name: string, text: string) => void,
): void {
  if ((uid ?? '') !== '' && (provider ?? '') === '') add('provider', "can't be blank");
  if ((provider ?? '') !== '' && (uid ?? '') === '') add('extern_uid', "can't be blank");
}

const isOwn = (email: string | undefined, own: readonly string[]): boolean =>
  email === undefined || email === '' || own.some((address) => address.toLowerCase() === email.toLowerCase());

/** Links of profiles are public, so only web addresses or a bare host are allowed. */
function urlProblem(url: string | undefined): string | null {
  if (url === undefined || url === '') return null;
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url);
  return URL.canParse(hasScheme ? url : `https://${url}`) && (!hasScheme || /^https?:\/\//i.test(url))
    ? null
    : 'must be a valid URL';
}
