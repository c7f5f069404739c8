// What scripts that lose a process at a certain statement need of PostgreSQL's protocol.

/** Texts of statements that have been prepared, by their names, which follow from the texts. */
const prepared = new Map();

/** The statement that a message to the server is about: its text comes with Parse, and only its name with Bind where it is prepared. */
export function statementIn(message) {
  const text = message.toString('latin1');
  const [first, second] = text.slice(5).split('\0', 2);
  if (text[0] === 'P' && first !== '') prepared.set(first, second);
  return text[0] === 'B' ? (prepared.get(second) ?? '') : text;
}

/** Stands still for that long: a signal to oneself arrives a moment later, and nothing may happen in it. */
export const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
