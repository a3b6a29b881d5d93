/** The theme colour "geekblue" on dark ground. */
export const fill = "#85a5ff";
