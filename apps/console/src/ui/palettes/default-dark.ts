/** The theme colour "default" on dark ground. */
export const fill = "#4096ff";
