/** Days before its end from which on something is due soon. */
export const dueSoonDays = 30;
