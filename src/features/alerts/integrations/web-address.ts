/** Returns whether a text is a web URL that can be shown as a link: http or https, without a password. */
export function isWebAddress(text: string): boolean {
  // The URL parser ignores blanks and line ends that others would not.
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
