// Parts of the PostgreSQL protocol for scripts that lose a process at a certain statement.

/** Texts of statements that have been prepared, by their names, which follow from the texts. */
const prepared = new Map();

/** The statement of a message to the server: Parse contains its text, Bind only the name of a prepared one. */
export function statementIn(message) {
  const text = message.toString('latin1');
  const [first, second] = text.slice(5).split('\0', 2);
  if (text[0] === 'P' && first !== '') prepared.set(first, second);
  return text[0] === 'B' ? (prepared.get(second) ?? '') : text;
}

/** Blocks for that long: a signal to oneself arrives a moment later, and nothing may happen until then. */
export const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
