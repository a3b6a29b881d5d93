/** The theme colour "green" on dark ground. */
export const fill = "#73d13d";
