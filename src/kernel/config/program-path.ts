/** Search path for programs that the service starts: that of this process. */
export const PROGRAM_PATH = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
