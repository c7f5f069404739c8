/** Whether a text is the address of something on the web that can be shown as a link: http or https, and no password in it. */
export function isWebAddress(text: string): boolean {
  // The parser of addresses drops blanks and line ends that others would not.
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
