/** The theme colour "sunset" on light ground. */
export const fill = "#a66300";
