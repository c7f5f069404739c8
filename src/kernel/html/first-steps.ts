/** Where people go who have something to do before anything else, by the state that the guards give their accounts for that. */
export const FIRST_STEPS = {
  password_expired: '/-/profile/password/new',
  second_factor_due: '/-/profile/two_factor_auth',
} as const;

/** The page on which somebody in this state has to do something first, or null. */
export const firstStepOf = (state: string): string | null =>
  Object.hasOwn(FIRST_STEPS, state) ? FIRST_STEPS[state as keyof typeof FIRST_STEPS] : null;
