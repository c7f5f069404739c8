import { readLinks } from '../../objects/commit-links.js';
import { isoTime } from '../../objects/iso-time.js';
import type { Commit } from '../commit-log.js';
import type { KeptObject } from './kept-answer.js';

const PERSON = /^([^<>\n]*[^<>\s])? ?<([^<>\s]*)> (\d{1,10} [+-]\d\d[0-5]\d)$/;

/** Parses a commit like `git log`; null if only git can read it: another encoding, or an unusual format. */
export function parseCommit({ id, type, content }: KeptObject): Commit | null {
  const end = content.indexOf('\n\n');
  if (type !== 'commit' || end < 0 || content.includes(0)) return null;
  const head = content.toString('utf8', 0, end);
  const links = readLinks(head);
  if (!links) return null;
  const people = new Map<string, Person | null>();
  for (const line of head.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+) (.*)$/.exec(line) ?? [];
    if (name === 'encoding' && value.toLowerCase() !== 'utf-8') return null;
    if (name !== 'author' && name !== 'committer') continue;
    if (people.has(name)) return null;
    people.set(name, personOf(value));
  }
  const [author, committer] = [people.get('author'), people.get('committer')];
  if (!author || !committer) return null;
  const message = content.toString('utf8', end + 2);
  return {
    ...{ id, parentIds: links.parents, message, title: message.split('\n', 1)[0] ?? '' },
    ...{ authorName: author.name, authorEmail: author.email, authoredDate: author.date },
    ...{ committerName: committer.name, committerEmail: committer.email, committedDate: committer.date },
  };
}

interface Person {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

function personOf(text: string): Person | null {
  const [, name = '', email = '', time] = PERSON.exec(text) ?? [];
  if (time === undefined || name !== name.trim()) return null;
  return { name, email, date: isoTime(time) };
}
