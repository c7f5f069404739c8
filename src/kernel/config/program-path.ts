/** Where programs that we start are looked for: the search path of this process. */
export const PROGRAM_PATH = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
