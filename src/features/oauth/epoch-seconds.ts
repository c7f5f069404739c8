/** A time as OAuth answers and id_tokens carry it: seconds since 1970. */
export const epochSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
