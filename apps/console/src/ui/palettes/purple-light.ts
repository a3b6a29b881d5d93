/** The theme colour "purple" on light ground. */
export const fill = "#722ed1";
