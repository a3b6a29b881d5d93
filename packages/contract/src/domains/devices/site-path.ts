/** Where the login asks what the site is called and looks like, before it has the call's schema. */
export const sitePath = "/api/config";
