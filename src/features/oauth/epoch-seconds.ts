/** Returns a time in seconds since 1970, as in OAuth responses and id_tokens. */
export const epochSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
