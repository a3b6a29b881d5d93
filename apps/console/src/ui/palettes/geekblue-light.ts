/** The theme colour "geekblue" on light ground. */
export const fill = "#2f54eb";
