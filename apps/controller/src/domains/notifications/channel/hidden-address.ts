/**
 * An address for people to recognize. URLs of robots and webhooks contain what lets one send there: of
 * them only the server and the end are shown.
 */
export function hiddenAddress(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;
  const { origin } = new URL(address);
  const rest = address.slice(origin.length).replace(/^\//, "");
  return rest.length <= 4 ? `${origin}/${rest}` : `${origin}/…${rest.slice(-4)}`;
}
