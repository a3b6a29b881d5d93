/** The theme colour "cyan" on dark ground. */
export const fill = "#36cfc9";
