/** The theme colour "purple" on dark ground. */
export const fill = "#b37feb";
