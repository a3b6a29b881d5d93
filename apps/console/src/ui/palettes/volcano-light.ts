/** The theme colour "volcano" on light ground. */
export const fill = "#c93a08";
