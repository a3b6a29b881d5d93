/** The theme colour "dust" on light ground. */
export const fill = "#cf1322";
