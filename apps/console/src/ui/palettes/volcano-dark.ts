/** The theme colour "volcano" on dark ground. */
export const fill = "#ff9c6e";
