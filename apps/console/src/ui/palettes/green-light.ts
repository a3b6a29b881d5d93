/** The theme colour "green" on light ground. */
export const fill = "#2b7f0f";
