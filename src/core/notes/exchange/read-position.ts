import { isPlainObject } from '#kernel/http/plain-object.js';
import { integerIn, textIn, type SourceRecord } from '#core/exchange/source-record.js';

const MAX_TEXT = 20_000;
const MAX_PATH = 4_096;
const MAX_INTEGER = 2_147_483_647;
const SHAS = ['base_sha', 'start_sha', 'head_sha'] as const;
const PATHS = ['new_path', 'old_path'] as const;
const COORDINATES = ['new_line', 'old_line', 'width', 'height', 'x', 'y'] as const;
const TYPES = ['text', 'image', 'file'];

/**
 * Parses the diff position of a note, with the attributes of `DiffPosition`; null if there is none. Older
 * sources send JSON text.
 */
export function readPosition(note: SourceRecord): object | null {
  const given = positionIn(note['original_position']) ?? positionIn(note['position']);
  if (!given) return null;
  const shas = SHAS.map((name) => [name, given[name]] as const);
  const type = given['position_type'];
  if (!shas.every(([, sha]) => typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha))) return null;
  if (typeof type !== 'string' || !TYPES.includes(type)) return null;
  const paths = PATHS.map((name) => [name, pathIn(given, name)] as const);
  const coordinates = COORDINATES.map((name) => [name, integerIn(given, name, 0, MAX_INTEGER)] as const);
  const known = [...paths, ...coordinates].filter(([, value]) => value !== null);
  return Object.fromEntries([...shas, ['position_type', type], ...known]);
}

const pathIn = (given: SourceRecord, name: string): string | null => {
  const path = given[name];
  return typeof path === 'string' && path.length <= MAX_PATH ? textIn(given, name, MAX_PATH) : null;
};

function positionIn(value: unknown): SourceRecord | null {
  if (isPlainObject(value)) return value;
  if (typeof value !== 'string' || value.length > MAX_TEXT) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isPlainObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
