import type { DocumentWords } from '#kernel/openapi/document-texts.js';
import { areaOf, AREAS } from './areas.js';
import { bodyWordsOf } from './bodies/body-words.js';
import { nounOf } from './nouns.js';
import { wordsOfOperation } from './operation-words.js';
import { PARAMETER_WORDS } from './parameter-words.js';
import { RECORDED } from './recorded-examples.js';

/** Returns the noun of the segment before a parameter. */
function nounBefore(name: string, path: string): string {
  const segments = path.split('/');
  return nounOf(segments[segments.findIndex((one) => one.slice(1) === name) - 1] ?? '').one;
}

/** The texts of the API document. */
export const API_WORDS: DocumentWords = {
  operationOf: (route) => wordsOfOperation({ ...route, isList: route.answer?.list === true }),
  areaOf,
  areas: AREAS,
  parameterOf: (location, name, path) =>
    PARAMETER_WORDS[`${location}.${name}`] ??
    PARAMETER_WORDS[name] ??
    (location === 'path' ? `Id of the ${nounBefore(name, path)}` : undefined),
  fieldOf: bodyWordsOf,
  examples: RECORDED,
};
