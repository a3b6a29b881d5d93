/** The screens before a session: also the log-in, which knows no router, names them. */
export const entrance = { login: "/login", forget: "/forget" } as const;
