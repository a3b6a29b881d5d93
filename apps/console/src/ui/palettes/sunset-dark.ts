/** The theme colour "sunset" on dark ground. */
export const fill = "#ffc53d";
