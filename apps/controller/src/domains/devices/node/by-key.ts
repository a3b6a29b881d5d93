/**
 * The parameter of the notification panel (section 2.6): 4 due soon, 5 expired, else a part of the
 * name or serial number.
 */
export const byKey = (query: {
  key: string | null;
  alias?: string | null;
  name?: string | null;
}) => {
  const expiry = query.key === "4" ? 4 : query.key === "5" ? 5 : null;
  const name = query.alias ?? query.name ?? null;
  return { expiry, name, text: expiry === null ? query.key : null } as const;
};
