/** The theme colour "dust" on dark ground. */
export const fill = "#ff7875";
