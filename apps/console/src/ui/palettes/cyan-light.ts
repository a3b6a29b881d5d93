/** The theme colour "cyan" on light ground. */
export const fill = "#08807e";
